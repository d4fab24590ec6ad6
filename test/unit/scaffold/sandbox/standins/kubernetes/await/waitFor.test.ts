import { equal, throws } from "node:assert/strict";
import type { Props } from "../../../../../../../buckets/protocol/values.ts";
import { waitForConditions } from "../../../../../../../scaffold/sandbox/standins/kubernetes/await/waitFor.ts";

const live: Props = {
  metadata: { generation: 2, labels: { "a.b/c": "d" } },
  spec: { ports: [{ port: 80 }, { port: 443 }], replicas: 1, nothing: null },
  status: { observedGeneration: 2, phase: "Active", conditions: [{ type: "Ready", status: "False" }] },
};

function holds(expression: string, object = live): boolean {
  const asked = waitForConditions({ metadata: { annotations: { "pulumi.com/waitFor": expression } } });
  return asked.length > 0 && asked.every((condition) => condition(object));
}

describe("pulumi.com/waitFor", () => {
  const cases: [expression: string, holds: boolean][] = [
    ["jsonpath={.status.phase}=Active", true],
    ["jsonpath={$.status.phase}=Active", true],
    ["jsonpath={.status.phase}=Gone", false],
    ["jsonpath={.status.phase}", true],
    ["jsonpath={.status.absent}", false],
    ["jsonpath={.spec.replicas}=1", true],
    ["jsonpath={.spec.ports}", true],
    ["jsonpath={.spec.ports[1].port}=443", true],
    ["jsonpath={.spec.ports[*].port}=80", true],
    ["jsonpath={.metadata.labels['a.b/c']}=d", true],
    ['jsonpath={.status.conditions[?(@.type=="Ready")].status}=False', true],
    ['jsonpath={.status.conditions[?(@.type=="Ready")].status}=True', false],
    ["condition=Ready", false],
    ["condition=ready=false", true],
    ["condition=Absent", false],
    ['["jsonpath={.status.phase}=Active","condition=Ready=False"]', true],
    ['["jsonpath={.status.phase}=Active","condition=Ready"]', false],
  ];
  for (const [expression, expected] of cases) {
    it(`${expression} ${expected ? "holds" : "does not hold"}`, () => equal(holds(expression), expected));
  }

  it("holds of nothing that its controller has not seen yet", () => {
    const unseen = { ...live, metadata: { generation: 3 } };
    equal(holds("jsonpath={.status.phase}=Active", unseen), false);
    equal(holds("condition=Ready=False", unseen), false);
  });

  const wrong: [expression: string, message: RegExp][] = [
    ["ready", /expected a "jsonpath=" or "condition=" prefix, got "ready"/],
    ["[]", /at least one condition must be specified/],
    ["jsonpath=.status.phase=Active", /format should be \{.path\}=value or \{.path\}/],
    ["jsonpath={.spec..port}", /cannot read "..port" in the JSONPath \{.spec..port\}/],
    ["jsonpath={.spec.ports}=80", /has a non-primitive value/],
  ];
  for (const [expression, message] of wrong) {
    it(`${expression} is refused with the reason`, () => throws(() => holds(expression), message));
  }
});
