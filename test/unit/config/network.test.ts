import assert from "node:assert/strict";
import { mistakes } from "../samples.ts";

const reported = (network: unknown) => mistakes({ members: [], network });
const rule = {
  block: "must be a block of addresses, such as 10.20.0.0/16 or 2001:db8::/32",
  port: "must be a port, such as 5432 or 53/UDP",
};

describe("exceptions of isolation", () => {
  it("takes addresses, or pods of a namespace, as exceptions of isolation, with ports or all", () => {
    const egress = [
      { cidr: "10.20.0.0/16" },
      { cidr: "2001:db8::/32", ports: [443] },
      { namespace: "databases" },
      { namespace: "databases", podLabels: { app: "postgres" }, ports: [1, 65_535, "1/UDP", "65535/SCTP", "80/TCP"] },
    ];
    assert.deepEqual(reported({ egress, ingress: egress, nodeLocalDns: ["169.254.20.10", "fd00::a"] }), []);
  });

  for (const [entry, mistake] of [
    [{ cidr: "10.20.30.0/16" }, '.cidr: "10.20.30.0/16" must be written 10.20.0.0/16'],
    [{ cidr: "FD12::/48" }, '.cidr: "FD12::/48" must be written fd12::/48'],
    [{ cidr: "::ffff:10.0.0.0/104" }, `.cidr: "::ffff:10.0.0.0/104" ${rule.block}`],
    [{ cidr: "10.0.0.0/8", namespace: "db" }, '.namespace: "db" stands beside cidr; make two entries of it'],
    [
      { cidr: "10.0.0.0/8", podLabels: { app: "x" } },
      '.podLabels: {"app":"x"} stands beside cidr, and no address has labels; leave one of the two out',
    ],
    [{ podLabels: { app: "x" } }, ': {"podLabels":{"app":"x"}} must have cidr or namespace'],
    [{ namespace: "db", ports: [] }, ".ports: [] must have a port; for every port, leave ports out"],
    [{ namespace: "db", ports: ["65536/TCP"] }, `.ports[0]: "65536/TCP" ${rule.port}`],
  ] as const) {
    it(`refuses the exception of isolation ${JSON.stringify(entry)}`, () => {
      assert.deepEqual(reported({ ingress: [entry] }), [`network.ingress[0]${mistake}`]);
    });
  }

  it("refuses exceptions of the stack, a type and a member with all that is wrong at once", () => {
    const memberTypes = { student: { network: { egress: [{ cidr: "10.0.0.0/8", namespace: "x" }] } } };
    const bob = { member: "bob", type: "user", network: { egress: [{ ports: [0] }, { cidr: "1.1.1.1/8" }] } };
    assert.deepEqual(mistakes({ memberTypes, members: [bob], network: { nodeLocalDns: ["10.0.0.0/8"] } }), [
      'memberTypes.student.network.egress[0].namespace: "x" stands beside cidr; make two entries of it',
      "members[0].network.egress[0]: {\"ports\":[0]} must have cidr or namespace (member 'bob')",
      `members[0].network.egress[0].ports[0]: 0 ${rule.port} (member 'bob')`,
      "members[0].network.egress[1].cidr: \"1.1.1.1/8\" must be written 1.0.0.0/8 (member 'bob')",
      'network.nodeLocalDns[0]: "10.0.0.0/8" must be an IP address, such as 169.254.20.10',
    ]);
  });

  it("opens no address where clouds hand out credentials, unless an exception names that alone", () => {
    const wayOut = (address: string) =>
      `holds ${address}, where clouds hand out credentials of nodes; ` +
      `name smaller blocks, or ${address}/${address.includes(":") ? 128 : 32} beside them if that is to be reached`;
    for (const [cidr, address] of [
      ["0.0.0.0/0", "169.254.169.254"],
      ["169.254.169.252/30", "169.254.169.254"],
      ["100.100.0.0/16", "100.100.100.200"],
      ["168.63.0.0/16", "168.63.129.16"],
      ["fd00:ec2::/32", "fd00:ec2::254"],
      ["::/0", "fd00:ec2::254"],
    ] as const) {
      assert.deepEqual(reported({ egress: [{ cidr }] }), [`network.egress[0].cidr: "${cidr}" ${wayOut(address)}`]);
    }
    assert.deepEqual(reported({ egress: [{ cidr: "169.254.169.254/32" }, { cidr: "fd00:ec2::254/128" }] }), []);
    // Nobody calls from there.
    assert.deepEqual(reported({ ingress: [{ cidr: "0.0.0.0/0" }, { cidr: "::/0" }] }), []);
  });
});

describe("a cloud's metadata address", () => {
  const egress = ["10.0.0.0/8", "169.254.169.254/32", "fd00:ec2::254/128"].map((cidr) => ({ cidr }));
  const bob = { member: "bob", type: "user", network: { egress } };

  it("refuses to open a cloud's metadata address by a members file, which may open others", () => {
    const why =
      "is where clouds hand out credentials of nodes, and whoever edits the members file can't decide that: " +
      "leave it out, or allow it in kubecamp:network or the member's type (member 'bob')";
    assert.deepEqual(mistakes({ membersFile: "members.yaml" }, { members: [bob] }), [
      `members[0].network.egress[1].cidr: "169.254.169.254/32" ${why}`,
      `members[0].network.egress[2].cidr: "fd00:ec2::254/128" ${why}`,
    ]);
  });

  it("opens a cloud's metadata address by the stack's own file, for all, a type, or a member", () => {
    assert.deepEqual(mistakes({ members: [bob] }), []);
    const stack = { membersFile: "members.yaml", network: { egress }, memberTypes: { user: { network: { egress } } } };
    assert.deepEqual(mistakes(stack, { members: [{ member: "bob", type: "user" }] }), []);
  });
});
