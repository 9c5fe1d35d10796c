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
  /** add_key(2), request_key(2) and keyctl(2). */
  readonly keys: readonly number[];
  readonly ioctl: number;
}

// A kernel of 64 bits runs programs of 32 bits as well. Node does not run on others that can run sandboxes.
const ABIS: Readonly<Record<string, readonly Abi[]>> = {
  x64: [
    { arch: 0xc000003e, keys: [248, 249, 250], ioctl: 16 },
    { arch: 0x40000003, keys: [286, 287, 288], ioctl: 54 },
  ],
  arm64: [
    { arch: 0xc00000b7, keys: [217, 218, 219], ioctl: 29 },
    { arch: 0x40000028, keys: [309, 310, 311], ioctl: 54 },
  ],
};
const CALLS: Readonly<Record<string, Omit<CallFilter, 'code'>>> = {
  x64: { seccomp: 317, prctl: 157, setsid: 112, keyctl: 250 },
  arm64: { seccomp: 277, prctl: 167, setsid: 157, keyctl: 219 },
};
// Requests of ioctl(2) that type on a terminal.
const TYPING = [0x5412, 0x541c];

// linux/bpf_common.h and linux/seccomp.h
const [LOAD, AND, JUMP_IF_EQUAL, RETURN] = [0x20, 0x54, 0x15, 0x06];
const [CALL, ARCH, SECOND_ARGUMENT] = [0, 4, 24];
const ALLOW = 0x7fff0000;
// EPERM, as in containers.
const REFUSE = 0x00050001;
// Programs of x32 set a bit of the number.
const WITHOUT_X32 = 0xbfffffff;

/**
 * The filter that refuses the keyrings of the kernel and typing on terminals, and allows all other system calls.
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
function blockOf({ keys, ioctl }: Abi): readonly Buffer[] {
  const afterKeys = TYPING.length + 2;
  return [
    ...[instruction(LOAD, CALL), instruction(AND, WITHOUT_X32)],
    ...keys.map((key, at) => instruction(JUMP_IF_EQUAL, key, keys.length - at + afterKeys, 0)),
    instruction(JUMP_IF_EQUAL, ioctl, 0, TYPING.length + 1),
    instruction(LOAD, SECOND_ARGUMENT),
    ...TYPING.map((request, at) => instruction(JUMP_IF_EQUAL, request, TYPING.length - at, 0)),
    instruction(RETURN, ALLOW),
    instruction(RETURN, REFUSE),
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
