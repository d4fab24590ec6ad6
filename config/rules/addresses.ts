import { BlockList, isIP, isIPv6 } from "node:net";

/**
 * Where clouds hand out the credentials of a node, or of whoever else asks: AWS, its EKS and ECS, Google, Azure, Oracle,
 * OpenStack and most others at the first, Alibaba, Tencent, and Azure's agent.
 */
export const metadataAddresses = [
  "169.254.169.254",
  "169.254.170.2",
  "169.254.170.23",
  "169.254.0.23",
  "100.100.100.200",
  "168.63.129.16",
  "192.0.0.192",
  "fd00:ec2::254",
  "fd00:ec2::23",
  "fd20:ce::254",
  "fd00:c1::a9fe:a9fe",
  "fe80::a9fe:a9fe",
] as const;

/**
 * A block of addresses as everybody writes it, such as `10.20.0.0/16`: what is beyond the prefix zero, IPv6 in lower case
 * and short. The API server takes other forms too, and network plugins don't agree on what they mean.
 * @returns undefined for what is no block of addresses, IPv4 within IPv6 among it
 */
export function canonicalBlock(block: string): string | undefined {
  const [, address = "", length = ""] = /^([^/]+)\/(0|[1-9]\d{0,2})$/.exec(block) ?? [];
  const number = numberOf(address);
  const width = isIPv6(address) ? 128 : 32;
  if (number === undefined || Number(length) > width) {
    return undefined;
  }
  const beyond = BigInt(width - Number(length));
  return `${textOf((number >> beyond) << beyond, width)}/${length}`;
}

/** An address as everybody writes it; undefined for what is none. */
export function canonicalAddress(address: string): string | undefined {
  const number = numberOf(address);
  return number === undefined ? undefined : textOf(number, isIPv6(address) ? 128 : 32);
}

/** A block that is that address alone. */
export const blockOf = (address: string) => `${address}/${isIPv6(address) ? 128 : 32}`;

/** Whether an address lies in a block, both right. */
export function isIn(block: string, address: string): boolean {
  const [base = "", length] = block.split("/");
  const list = new BlockList();
  list.addSubnet(base, Number(length), familyOf(base));
  // To the list, IPv4 addresses are IPv6 as well.
  return familyOf(base) === familyOf(address) && list.check(address, familyOf(address));
}

const familyOf = (address: string) => (isIPv6(address) ? "ipv6" : "ipv4");

/** Undefined also for IPv4 within IPv6, which is neither to some, and for addresses that only one node can know. */
function numberOf(address: string): bigint | undefined {
  if (isIP(address) === 0 || address.includes("%")) {
    return undefined;
  }
  if (!isIPv6(address)) {
    return address.split(".").reduce((number, part) => (number << 8n) | BigInt(part), 0n);
  }
  // The URL's parser writes all of it in hexadecimal figures, and as short as can be.
  const [head = "", tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::");
  const groups = (part: string) => part.split(":").filter((group) => group !== "");
  const [before, after] = [groups(head), groups(tail ?? "")];
  const zeros = Array<string>(8 - before.length - after.length).fill("0");
  const number = [...before, ...zeros, ...after].reduce((sum, group) => (sum << 16n) | BigInt(`0x${group}`), 0n);
  return number >> 32n === 0xffffn ? undefined : number;
}

function textOf(number: bigint, width: 32 | 128): string {
  const step = width === 32 ? 8 : 16;
  const parts = Array.from({ length: width / step }, (_, at) =>
    ((number >> BigInt(width - step * (at + 1))) & ((1n << BigInt(step)) - 1n)).toString(width === 32 ? 10 : 16),
  );
  return width === 32 ? parts.join(".") : new URL(`http://[${parts.join(":")}]`).hostname.slice(1, -1);
}
