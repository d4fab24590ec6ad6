import assert from "node:assert/strict";
import fc from "fast-check";
import { mostTargets } from "../../../../plan/decisions/target.ts";
import type { Divergence } from "../../../../watch/live/findings.ts";
import { pauseAfter } from "../../../../watch/schedule/cases.ts";
import { Schedule } from "../../../../watch/schedule/schedule.ts";
import { closes, missing, opens, Simulation, shared, upTime } from "./simulation.ts";

const minute = 60_000;
const hour = 60 * minute;
const names = (count: number) => Array.from({ length: count }, (_, at) => `kim-${String(at).padStart(3, "0")}`);

describe("the schedule of ups", () => {
  it("gathers changes that come together into one up that targets those members alone", () => {
    const simulation = new Simulation();
    simulation.findings = [opens("bob")];
    simulation.run(60);
    simulation.findings = [opens("bob"), missing("carol")];
    simulation.run(99);
    assert.deepEqual(simulation.ups, []);
    simulation.run(minute);
    assert.deepEqual(
      simulation.ups.map(({ job }) => job),
      [{ kind: "targeted", target: ["bob", "carol"], refresh: false, why: "missing, route opens" }],
    );
  });

  it("waits no longer than two seconds for further changes, however many more come", () => {
    const simulation = new Simulation();
    const began = simulation.now;
    for (const name of names(40)) {
      simulation.findings = [...simulation.findings, opens(name)];
      simulation.run(60);
    }
    const first = simulation.ups[0]?.at ?? Number.NaN;
    assert.equal(first - began, 2_000);
  });

  it("counts a change that came and went during an up on that member as the up's work", () => {
    const schedule = new Schedule({ interval: hour, random: Math.random });
    schedule.configured(0, "start");
    const goneDuring = (...concerned: Divergence[]) => {
      schedule.found(concerned, 1_000);
      return schedule.found([], 2_000).gone.map(({ finding: { member }, tried }) => [member, tried]);
    };
    assert.deepEqual(goneDuring(opens("bob")), [["bob", false]]);
    assert.equal(schedule.next(0).job?.kind, "full");
    assert.deepEqual(goneDuring(opens("bob"), shared), [
      ["bob", true],
      [undefined, true],
    ]);
    schedule.ended("succeeded", 3_000);
    schedule.found([missing("carol")], 4_000);
    assert.deepEqual(schedule.next(5_000).job?.target, ["carol"]);
    assert.deepEqual(goneDuring(missing("carol"), missing("carol", "Role carol/kubecamp-edit"), opens("dora")), [
      ["carol", true],
      ["carol", true],
      ["dora", false],
    ]);
  });

  it("treats a change that comes during an up right after that", () => {
    const simulation = new Simulation();
    simulation.findings = [opens("bob")];
    simulation.end = () => {
      simulation.end = () => "succeeded";
      simulation.findings = [...simulation.findings, opens("carol")];
      simulation.schedule.found(simulation.findings, simulation.now - 1_000);
      return "succeeded";
    };
    simulation.run(minute);
    const [first, second] = simulation.ups;
    assert.deepEqual(simulation.targets, ["bob", "carol"]);
    assert.equal((second?.at ?? 0) - (first?.at ?? 0), upTime);
  });

  it("runs a full up for more members than an up may target", () => {
    for (const [findings, kind] of [
      [mostTargets, "targeted"],
      [mostTargets + 1, "full"],
    ] as const) {
      const simulation = new Simulation();
      simulation.findings = names(findings).map(opens);
      simulation.run(minute);
      assert.deepEqual(
        simulation.ups.map(({ job: { kind, refresh } }) => ({ kind, refresh })),
        [{ kind, refresh: false }],
        `${findings}`,
      );
    }
  });

  describe("of full ups", () => {
    it("repeats full ups at the interval, a tenth more or less", () => {
      for (const [random, expected] of [
        [0, 0.9],
        [0.5, 1],
        [1, 1.1],
      ] as const) {
        const schedule = new Schedule({ interval: hour, random: () => random });
        schedule.configured(0, "start");
        schedule.next(0);
        schedule.ended("succeeded", 0);
        assert.equal(Math.round(schedule.next(1).at ?? 0), Math.round(hour * expected));
      }
    });

    it("runs a full up after a change of the configuration, also during another up", () => {
      const simulation = new Simulation();
      simulation.schedule.configured(simulation.now, "configuration");
      simulation.end = () => {
        simulation.end = () => "succeeded";
        simulation.schedule.configured(simulation.now, "configuration");
        return "succeeded";
      };
      simulation.run(hour / 2);
      assert.deepEqual(
        simulation.ups.map(({ job }) => job.why),
        ["configuration", "configuration"],
      );
    });

    it("tries failed full ups ever more seldom, and meanwhile goes on with single members", () => {
      const simulation = new Simulation();
      simulation.end = ({ kind }) => (kind === "full" ? "failed" : "succeeded");
      simulation.schedule.configured(simulation.now, "configuration");
      simulation.run(3 * upTime);
      simulation.findings = [opens("bob")];
      simulation.run(hour);
      const fulls = simulation.ups.filter(({ job }) => job.kind === "full");
      assert.ok(fulls.length > 12 && fulls.length < 24, `${fulls.length}`);
      assert.equal(simulation.targets.filter((target) => target === "bob").length, 1);
    });
  });

  describe("where an up fails", () => {
    const bad = "kim-003";
    const failing = (simulation: Simulation) => {
      simulation.end = ({ target }) => (target?.includes(bad) ? "failed" : "succeeded");
    };

    it("finds a failing member by halves, and serves all others before trying that member often", () => {
      const simulation = new Simulation();
      simulation.findings = names(16).map(opens);
      failing(simulation);
      simulation.run(minute);
      assert.deepEqual(simulation.findings, [opens(bad)]);
      const before = simulation.ups.findLastIndex(({ outcome }) => outcome === "succeeded");
      assert.ok(before < 10, simulation.targets.join("\n"));
    });

    it("pauses from a second to five minutes between tries of a failed up", () => {
      const simulation = new Simulation({ interval: 24 * hour });
      simulation.findings = [opens(bad)];
      failing(simulation);
      simulation.run(2 * hour);
      const pauses = simulation.ups.slice(1).map(({ at }, index) => at - (simulation.ups[index]?.at ?? 0) - upTime);
      assert.deepEqual(
        pauses.slice(0, 11),
        [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300].map((each) => each * 1000),
      );
    });

    it("forgives all failed ups when the configuration changes", () => {
      const simulation = new Simulation();
      simulation.findings = [opens(bad)];
      failing(simulation);
      simulation.run(hour / 2);
      simulation.ups.length = 0;
      simulation.end = () => "succeeded";
      simulation.cures = (_, { kind }) => kind === "targeted";
      simulation.schedule.configured(simulation.now, "configuration");
      simulation.run(10_000);
      assert.deepEqual(simulation.targets, ["full", bad]);
    });
  });

  describe("where an up succeeds and does not mend", () => {
    it("repeats an up that mends nothing ever more seldom, and tells so once", () => {
      const simulation = new Simulation();
      const reported: Divergence[] = [];
      const { schedule } = simulation;
      const ended = schedule.ended.bind(schedule);
      schedule.ended = (...args) => {
        const cases = ended(...args);
        reported.push(...cases.map(({ finding }) => finding));
        return cases;
      };
      simulation.findings = [missing("bob")];
      simulation.cures = () => false;
      simulation.run(hour / 2);
      assert.ok(simulation.ups.length > 8 && simulation.ups.length < 16, `${simulation.ups.length}`);
      assert.deepEqual(reported, [missing("bob")]);
    });

    it("slows down where somebody undoes ups again and again, and forgets that after a minute", () => {
      const simulation = new Simulation({ interval: 24 * hour });
      for (let times = 0; times < 600; times++) {
        simulation.findings = [missing("bob")];
        simulation.run(6_000);
      }
      assert.ok(simulation.ups.length < 30, `${simulation.ups.length}`);
      simulation.run(10 * minute);
      simulation.ups.length = 0;
      const before = simulation.now;
      simulation.findings = [missing("bob")];
      simulation.run(minute);
      assert.equal((simulation.ups[0]?.at ?? 0) - before, 100);
    });
  });

  it("waits longer each time for somebody else's lock, which counts as no failure", () => {
    const simulation = new Simulation();
    simulation.findings = [opens("bob"), opens("carol")];
    simulation.end = () => "locked";
    simulation.run(3 * minute);
    const pauses = simulation.ups.slice(1).map(({ at }, index) => at - (simulation.ups[index]?.at ?? 0) - upTime);
    assert.deepEqual(
      pauses.slice(0, 6),
      [2, 4, 8, 16, 30, 30].map((each) => each * 1000),
    );
    simulation.end = () => "succeeded";
    simulation.ups.length = 0;
    simulation.run(minute);
    assert.deepEqual(simulation.targets, ["bob carol"]);
  });

  it("tells changes from before the first full up from what somebody did by hand since", () => {
    const schedule = new Schedule({ interval: hour, random: () => 0.5 });
    schedule.configured(0, "start");
    const [before] = schedule.found([missing("bob")], 0).appeared;
    schedule.next(0);
    schedule.ended("succeeded", 1_000);
    const [after] = schedule.found([missing("bob"), missing("carol")], 2_000).appeared;
    schedule.configured(3_000, "configuration");
    const [other] = schedule.found([missing("dora")], 4_000).appeared;
    assert.deepEqual([before?.drift, after?.drift, other?.drift], [false, true, false]);
  });

  it("serves every member whose up can succeed, whoever else fails, and never hurries", () => {
    const everybody = names(12);
    const what = fc.constantFrom(opens, closes, missing);
    const event = fc.record({
      finding: fc.tuple(what, fc.constantFrom(...everybody)).map(([make, name]) => make(name)),
      after: fc.integer({ min: 0, max: 20_000 }),
    });
    fc.assert(
      fc.property(
        fc.array(event, { maxLength: 40 }),
        fc.uniqueArray(fc.constantFrom(...everybody), { maxLength: 3 }),
        fc.uniqueArray(fc.constantFrom(...everybody), { maxLength: 3 }),
        (events, failing, stubborn) => {
          const simulation = new Simulation({ interval: 24 * hour });
          simulation.end = ({ target }) => (target?.some((name) => failing.includes(name)) ? "failed" : "succeeded");
          simulation.cures = ({ member = "" }) => !stubborn.includes(member);
          const began = simulation.now;
          for (const { finding, after } of events) {
            simulation.findings = [...simulation.findings, finding];
            simulation.run(after);
          }
          simulation.run(10 * minute);
          const left = simulation.findings.map(({ member = "" }) => member);
          assert.deepEqual(
            left.filter((name) => !failing.includes(name) && !stubborn.includes(name)),
            [],
          );
          // Each of three findings of those who fail or are stubborn has a pause of its own, which doubles.
          const tries = Math.log2((simulation.now - began) / pauseAfter(1)) + 10;
          const most = events.length * 2 + (failing.length + stubborn.length) * 3 * tries;
          assert.ok(simulation.ups.length <= most, `${simulation.ups.length} ups, ${most} at most`);
        },
      ),
      { numRuns: 300 },
    );
  });
});
