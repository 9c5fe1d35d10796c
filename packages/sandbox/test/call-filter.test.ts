import { describe, expect, it } from '@jest/globals';
import { callFilter } from '../src/adapters/call-filter.ts';

const [ALLOWED, REFUSED] = [0x7fff0000, 0x00050001];

interface Call {
  readonly arch: number;
  readonly number: number;
  readonly family?: number;
  readonly request?: number;
}

/** What the kernel does with a system call under this filter. */
function verdictOf(code: Buffer, { arch, number, family = 0, request = 0 }: Call): number {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(number, 0);
  data.writeUInt32LE(arch, 4);
  data.writeUInt32LE(family, 16);
  data.writeUInt32LE(request, 24);
  let value = 0;
  for (let at = 0; ; at += 8) {
    const operand = code.readUInt32LE(at + 4);
    switch (code.readUInt16LE(at)) {
      case 0x20:
        value = data.readUInt32LE(operand);
        break;
      case 0x54:
        value = (value & operand) >>> 0;
        break;
      case 0x15:
        at += 8 * code.readUInt8(at + (value === operand ? 2 : 3));
        break;
      case 0x06:
        return operand;
      default:
        throw new Error(`unknown instruction at ${at}`);
    }
  }
}

const X32 = 0x40000000;
const ABIS = [
  ['x64', 'x86_64', { arch: 0xc000003e, refused: [248, 249, 250, 425], ioctl: 16, socket: 41 }],
  [
    'x64',
    'x32',
    {
      arch: 0xc000003e,
      refused: [248 | X32, 249 | X32, 250 | X32, 425 | X32],
      ioctl: 16 | X32,
      socket: 41 | X32,
    },
  ],
  ['x64', 'i386', { arch: 0x40000003, refused: [286, 287, 288, 425, 102], ioctl: 54, socket: 359 }],
  ['arm64', 'aarch64', { arch: 0xc00000b7, refused: [217, 218, 219, 425], ioctl: 29, socket: 198 }],
  ['arm64', 'arm', { arch: 0x40000028, refused: [309, 310, 311, 425], ioctl: 54, socket: 281 }],
] as const;

describe.each(ABIS)('the filter of %s, for programs of %s', (machine, _name, abi) => {
  const { arch, ioctl, socket, refused } = abi;
  const code = callFilter(machine)?.code ?? Buffer.alloc(0);

  it('refuses the system calls for keys, and those that it cannot see through', () => {
    const verdicts = refused.map((number) => verdictOf(code, { arch, number }));
    expect(verdicts).toEqual(refused.map(() => REFUSED));
  });

  it('refuses sockets to the host of a virtual machine, and no others', () => {
    const verdicts = [40, 1, 2, 10, 39, 41].map((family) =>
      verdictOf(code, { arch, number: socket, family, request: 0x5412 }),
    );
    expect(verdicts).toEqual([REFUSED, ...Array<number>(5).fill(ALLOWED)]);
  });

  it('refuses typing on a terminal, and no other request', () => {
    const requests = [0x5412, 0x541c, 0x5413, 0x5401, 0].map((request) =>
      verdictOf(code, { arch, number: ioctl, request }),
    );
    expect(requests).toEqual([REFUSED, REFUSED, ALLOWED, ALLOWED, ALLOWED]);
  });

  it('allows every other system call, whatever its arguments', () => {
    const bit = ioctl & X32;
    for (let plain = 0; plain < 600; plain += 1) {
      const number = plain | bit;
      if ([ioctl, socket, ...refused].includes(number)) continue;
      expect([number, verdictOf(code, { arch, number, family: 40, request: 0x5412 })]).toEqual([
        number,
        ALLOWED,
      ]);
    }
  });
});

describe('the filter', () => {
  it('refuses all system calls of unknown programs', () => {
    const code = callFilter('x64')?.code ?? Buffer.alloc(0);
    expect(verdictOf(code, { arch: 0xc00000b7, number: 0 })).toBe(REFUSED);
  });

  it('does not exist for unknown machines', () => {
    expect(callFilter('s390x')).toBeNull();
  });
});
