import { isIP, isIPv6 } from "node:net";
import ipaddr from "ipaddr.js";

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
  const canonical = canonicalAddress(address);
  if (canonical === undefined || Number(length) > widthOf(address)) {
    return undefined;
  }
  const family = isIPv6(address) ? ipaddr.IPv6 : ipaddr.IPv4;
  return `${family.networkAddressFromCIDR(`${canonical}/${length}`)}/${length}`;
}

/**
 * An address as everybody writes it; undefined for what is none, for IPv4 within IPv6, which is neither to some, and for
 * addresses that only one node can know. Node takes fewer forms than the package.
 */
export function canonicalAddress(address: string): string | undefined {
  if (isIP(address) === 0 || address.includes("%")) {
    return undefined;
  }
  const parsed = parse(address);
  return parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress() ? undefined : parsed.toString();
}

/** The package takes `::1.2.3.4` for `::ffff:1.2.3.4`, which URLs do not. */
const parse = (address: string) =>
  ipaddr.parse(isIPv6(address) ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address);

const widthOf = (address: string) => (isIPv6(address) ? 128 : 32);

/** A block that is that address alone. */
export const blockOf = (address: string) => `${address}/${widthOf(address)}`;

/** Whether an address lies in a block, both right. */
export function isIn(block: string, address: string): boolean {
  const [base = "", length] = block.split("/");
  const [range, one] = [parse(base), parse(address)];
  return one.kind() === range.kind() && one.match(range, Number(length));
}
