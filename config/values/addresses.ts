import { isIP, isIPv4, isIPv6 } from "node:net";
import ipaddr from "ipaddr.js";

/**
 * Addresses where clouds give credentials to a node or a pod: AWS with EKS and ECS, Google, Azure, Oracle, OpenStack
 * and most others at the first; Alibaba, Tencent, and Azure's agent.
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
 * A block of addresses in its usual form, such as `10.20.0.0/16`: bits beyond the prefix are zero, IPv6 is short and in
 * lower case. The API server accepts other forms too, and network plugins disagree on their meaning.
 * @returns undefined if the text is no block of addresses, or IPv4 within IPv6
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
 * An address in its usual form. Undefined if the text is no address; for IPv4 within IPv6, which is of neither family
 * to some; and for addresses with a zone, which mean something on one node only. Node accepts fewer forms than the
 * package.
 */
export function canonicalAddress(address: string): string | undefined {
  if (isIP(address) === 0 || address.includes("%")) {
    return undefined;
  }
  const parsed = parse(address);
  return parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress() ? undefined : parsed.toString();
}

/** Unlike a URL, the package takes `::1.2.3.4` for `::ffff:1.2.3.4`. */
const parse = (address: string) =>
  ipaddr.parse(isIPv6(address) ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address);

const widthOf = (address: string) => (isIPv6(address) ? 128 : 32);

export const blockOf = (address: string) => `${address}/${widthOf(address)}`;

/** Whether an address is in a block; both must be valid. */
export function isIn(block: string, address: string): boolean {
  const [base = "", length] = block.split("/");
  const [range, one] = [parse(base), parse(address)];
  return one.kind() === range.kind() && one.match(range, Number(length));
}

/** Whether a host of a URL or a setting is this machine itself, whatever the network says. */
export const isLoopback = (host: string): boolean =>
  ["localhost", "::1", "[::1]"].includes(host) || (isIPv4(host) && host.startsWith("127."));
