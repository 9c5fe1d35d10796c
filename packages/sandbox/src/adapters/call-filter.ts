/** A seccomp filter, and the numbers of the system calls with which a process loads it. */
export interface CallFilter {
  /** Instructions of the filter (`struct sock_filter`). */
  readonly code: Buffer;
  readonly seccomp: number;
  readonly prctl: number;
  readonly setsid: number;
  readonly keyctl: number;
}

/** System calls of one kind of program, as the kernel numbers them. */
interface Abi {
  /** `AUDIT_ARCH_*` of linux/audit.h. */
  readonly arch: number;
  /** add_key(2), request_key(2), keyctl(2), and others that could do what is refused without being seen here. */
  readonly refused: readonly number[];
  readonly ioctl: number;
  readonly socket: number;
}

// io_uring_setup(2) has one number everywhere. socketcall(2), an earlier socket(2), has arguments that a filter cannot read.
const IO_URING_SETUP = 425;
const SOCKETCALL = 102;

// A kernel of 64 bits runs programs of 32 bits as well. Node does not run on others that can run sandboxes.
const ABIS: Readonly<Record<string, readonly Abi[]>> = {
  x64: [
    { arch: 0xc000003e, refused: [248, 249, 250, IO_URING_SETUP], ioctl: 16, socket: 41 },
    {
      ...{ arch: 0x40000003, ioctl: 54, socket: 359 },
      refused: [286, 287, 288, IO_URING_SETUP, SOCKETCALL],
    },
  ],
  arm64: [
    { arch: 0xc00000b7, refused: [217, 218, 219, IO_URING_SETUP], ioctl: 29, socket: 198 },
    { arch: 0x40000028, refused: [309, 310, 311, IO_URING_SETUP], ioctl: 54, socket: 281 },
  ],
};
const CALLS: Readonly<Record<string, Omit<CallFilter, 'code'>>> = {
  x64: { seccomp: 317, prctl: 157, setsid: 112, keyctl: 250 },
  arm64: { seccomp: 277, prctl: 167, setsid: 157, keyctl: 219 },
};
// Requests of ioctl(2) that type on a terminal.
const TYPING = [0x5412, 0x541c];
// The family of sockets between a virtual machine and its host, which no namespace separates.
const AF_VSOCK = 40;

// linux/bpf_common.h and linux/seccomp.h
const [LOAD, AND, JUMP_IF_EQUAL, RETURN] = [0x20, 0x54, 0x15, 0x06];
const [CALL, ARCH, FIRST_ARGUMENT, SECOND_ARGUMENT] = [0, 4, 16, 24];
const ALLOW = 0x7fff0000;
// EPERM, as in containers.
const REFUSE = 0x00050001;
// Programs of x32 set a bit of the number.
const WITHOUT_X32 = 0xbfffffff;

/**
 * The filter that refuses the keyrings of the kernel, typing on terminals, sockets to the host of a virtual machine and
 * io_uring, and allows all other system calls.
 *
 * @param arch as in `process.arch`
 * @returns null if the numbers of its system calls are not known
 */
export function callFilter(arch: string): CallFilter | null {
  const [abis, calls] = [ABIS[arch], CALLS[arch]];
  if (abis === undefined || calls === undefined) return null;
  const blocks = abis.flatMap((abi) => {
    const block = blockOf(abi);
    return [instruction(JUMP_IF_EQUAL, abi.arch, 0, block.length), ...block];
  });
  const code = [instruction(LOAD, ARCH), ...blocks, instruction(RETURN, REFUSE)];
  return { ...calls, code: Buffer.concat(code) };
}

// Jumps count the instructions between, up to the last one, which refuses.
function blockOf({ refused, ioctl, socket }: Abi): readonly Buffer[] {
  const onSocket = argumentTest(socket, FIRST_ARGUMENT, [AF_VSOCK], 1);
  const onIoctl = argumentTest(ioctl, SECOND_ARGUMENT, TYPING, onSocket.length + 1);
  const after = onIoctl.length + onSocket.length + 1;
  return [
    ...[instruction(LOAD, CALL), instruction(AND, WITHOUT_X32)],
    ...refused.map((call, at) =>
      instruction(JUMP_IF_EQUAL, call, refused.length - 1 - at + after, 0),
    ),
    ...[...onIoctl, ...onSocket],
    ...[instruction(RETURN, ALLOW), instruction(RETURN, REFUSE)],
  ];
}

// Refuses a system call with one of these values; `after` is the number of instructions from here to the one that refuses.
function argumentTest(
  call: number,
  argument: number,
  values: readonly number[],
  after: number,
): readonly Buffer[] {
  return [
    instruction(JUMP_IF_EQUAL, call, 0, values.length + 2),
    instruction(LOAD, argument),
    ...values.map((value, at) => instruction(JUMP_IF_EQUAL, value, values.length - at + after, 0)),
    instruction(RETURN, ALLOW),
  ];
}

function instruction(code: number, value: number, ifTrue = 0, ifFalse = 0): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt8(ifTrue, 2);
  bytes.writeUInt8(ifFalse, 3);
  bytes.writeUInt32LE(value, 4);
  return bytes;
}
