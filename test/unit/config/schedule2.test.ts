import assert from "node:assert/strict";
import { configuration, mistakes, mistakesOfMembers } from "../samples.ts";

const nights = { sleep: "0 20 * * 1-5", wake: "0 7 * * 1-5", timeZone: "Europe/Zurich" };
const late = { sleep: "0 23 * * *", wake: "0 9 * * *" };
const bobs = (schedule: unknown) => mistakesOfMembers({ member: "bob", type: "user", schedule });

describe("schedule", () => {
  it("takes the schedule of the member, the type or the stack, and off as none", () => {
    const { members } = configuration({
      schedule: nights,
      memberTypes: { lab: { schedule: late }, server: { schedule: "off" } },
      members: [
        { member: "ada", type: "user" },
        { member: "bob", type: "lab" },
        { member: "cleo", type: "lab", schedule: "off" },
        { member: "dan", type: "server" },
        { member: "eve", type: "server", schedule: nights },
      ],
    });
    assert.deepEqual(Object.fromEntries(members.map(({ name, schedule }) => [name, schedule])), {
      ada: nights,
      bob: { ...late, timeZone: "UTC" },
      cleo: undefined,
      dan: undefined,
      eve: nights,
    });
  });

  it("refuses a schedule with a wrong line or zone, with all mistakes at once", () => {
    assert.deepEqual(bobs({ sleep: "0 0 30 2 *", wake: "0 0 7 * * *", timeZone: "Europe/Zurch" }), [
      `members[0].schedule.sleep: "0 0 30 2 *" never comes: there is no such day; set another day or month (member 'bob')`,
      `members[0].schedule.wake: "0 0 7 * * *" has 6 fields, and must have five: minute, hour, day, month, weekday; leave out the seconds (member 'bob')`,
      `members[0].schedule.timeZone: "Europe/Zurch" is no time zone of the IANA database, such as Europe/Zurich (member 'bob')`,
    ]);
  });

  it("refuses a schedule where sleep and wake come at one time, of a stack and a type too", () => {
    const both = { sleep: "0 20 * * *", wake: "0 20 * * 1" };
    const what = `"0 20 * * 1" comes when sleep does, such as at 2024-01-01 20:00 UTC; set one of them to another time`;
    assert.deepEqual(bobs(both), [`members[0].schedule.wake: ${what} (member 'bob')`]);
    assert.deepEqual(mistakes({ members: [], schedule: both, memberTypes: { lab: { schedule: both } } }), [
      `schedule.wake: ${what}`,
      `memberTypes.lab.schedule.wake: ${what}`,
    ]);
  });

  it("takes how long and how often members may wake by themselves, once in a sleep if it does not say", () => {
    const wakesOf = (schedule: object) =>
      configuration({ members: [{ member: "bob", type: "user", schedule: { ...nights, ...schedule } }] }).members[0]
        ?.schedule?.ownWakes;
    assert.deepEqual(wakesOf({ wakeFor: "1h30m" }), { minutes: 90, most: 1 });
    assert.deepEqual(wakesOf({ wakeFor: "45m", wakes: 3 }), { minutes: 45, most: 3 });
    assert.equal(wakesOf({}), undefined);
    assert.deepEqual(bobs({ ...nights, wakeFor: "two" }), [
      `members[0].schedule.wakeFor: "two" must be hours and minutes, at most 24h, such as 2h, 45m or 1h30m (member 'bob')`,
    ]);
    assert.deepEqual(bobs({ ...nights, wakeFor: "25h" }).length, 1);
    assert.deepEqual(bobs({ ...nights, wakes: 2 }), [
      "members[0].schedule.wakes: 2 needs wakeFor, such as 2h (member 'bob')",
    ]);
  });

  it("refuses a schedule that is anything else", () => {
    assert.deepEqual(bobs("on"), [
      `members[0].schedule: "on" must be off, or a map with sleep and wake (member 'bob')`,
    ]);
    assert.deepEqual(bobs({ ...nights, zone: "UTC" }), [
      "members[0].schedule.zone: is no setting here; did you mean 'timeZone'? (member 'bob')",
    ]);
  });
});
