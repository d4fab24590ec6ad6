import assert from "node:assert/strict";
import fc from "fast-check";
import { commonMoment, cronProblem, isTimeZone, phaseAt, type SleepSchedule } from "../../../config/schedule.ts";

const nights: SleepSchedule = { sleep: "0 20 * * 1-5", wake: "0 7 * * 1-5", timeZone: "Europe/Zurich" };
const phase = (now: string, schedule = nights) => {
  const { isAsleep, since, until } = phaseAt(schedule, new Date(now));
  return [isAsleep ? "asleep" : "awake", since?.toISOString(), until.toISOString()];
};
const at = (day: string, time: string) => `${day}T${time}:00.000Z`;

describe("a schedule", () => {
  it("lets members sleep from one line of a schedule to the other, in its own time zone", () => {
    const [thursday, evening] = [at("2026-11-26", "06:00"), at("2026-11-26", "19:00")];
    const [friday, next] = [at("2026-11-27", "06:00"), at("2026-11-27", "19:00")];
    assert.deepEqual(phase("2026-11-26T18:59:59.999Z"), ["awake", thursday, evening]);
    assert.deepEqual(phase("2026-11-26T19:00:00Z"), ["asleep", evening, friday]);
    assert.deepEqual(phase("2026-11-27T05:59:59.999Z"), ["asleep", evening, friday]);
    assert.deepEqual(phase("2026-11-27T06:00:00Z"), ["awake", friday, next]);
  });

  it("counts a sleep from its first line to the next waking, and a day likewise", () => {
    const daily: SleepSchedule = { ...nights, sleep: "0 20 * * *" };
    const weekend = ["asleep", at("2026-11-27", "19:00"), at("2026-11-30", "06:00")];
    for (const now of ["2026-11-28T12:00:00Z", "2026-11-28T19:00:00Z", "2026-11-29T20:00:00Z"]) {
      assert.deepEqual(phase(now, daily), weekend);
    }
    const early: SleepSchedule = { ...nights, sleep: "0 20 * * 0", wake: "0 7 * * *" };
    const week = ["awake", at("2026-11-23", "06:00"), at("2026-11-29", "19:00")];
    assert.deepEqual(phase("2026-11-27T12:00:00Z", early), week);
  });

  it("keeps a schedule to the clocks' time when they change", () => {
    assert.deepEqual(phase("2026-03-28T12:00:00Z"), ["asleep", at("2026-03-27", "19:00"), at("2026-03-30", "05:00")]);
    assert.deepEqual(phase("2026-10-24T12:00:00Z"), ["asleep", at("2026-10-23", "18:00"), at("2026-10-26", "06:00")]);
  });

  it("takes the hour after one that the clocks skip, and an hour that they repeat once", () => {
    const half = { sleep: "30 2 * * *", wake: "0 12 * * *", timeZone: "Europe/Zurich" };
    // 02:30 is not there on this day: 03:00.
    assert.deepEqual(phase("2026-03-29T00:59:59Z", half)[0], "awake");
    const skipped = ["asleep", at("2026-03-29", "01:00"), at("2026-03-29", "10:00")];
    assert.deepEqual(phase("2026-03-29T01:00:00Z", half), skipped);
    // 02:30 is there twice: the first counts.
    assert.deepEqual(phase("2026-10-25T00:29:59Z", half)[0], "awake");
    for (const now of ["2026-10-25T00:30:00Z", "2026-10-25T01:29:00Z", "2026-10-25T01:31:00Z"]) {
      assert.deepEqual(phase(now, half), ["asleep", at("2026-10-25", "00:30"), at("2026-10-25", "11:00")]);
    }
  });

  it("tells of a moment what it told before, and no change until the one that it announced", () => {
    const moment = fc.date({ min: new Date("2020-01-01"), max: new Date("2040-01-01"), noInvalidDate: true });
    fc.assert(
      fc.property(moment, fc.double({ min: 0, max: 1, noNaN: true }), (now, share) => {
        const here = phaseAt(nights, now);
        const later = new Date(now.getTime() + share * (here.until.getTime() - 1 - now.getTime()));
        phaseAt(nights, new Date(now.getTime() - 86_400_000));
        assert.deepEqual(phaseAt(nights, later), here);
        assert.equal(phaseAt(nights, here.until).isAsleep, !here.isAsleep);
      }),
      { numRuns: 200 },
    );
  });

  it("refuses a schedule where both lines come at one moment", () => {
    const both = (sleep: string, wake: string) => commonMoment({ sleep, wake, timeZone: "UTC" })?.toISOString();
    assert.equal(both("0 20 * * 1-5", "0 7 * * 1-5"), undefined);
    assert.equal(both("0 20 * * *", "0 20 * * *"), at("2024-01-01", "20:00"));
    assert.equal(both("0 20 * * *", "0 20 * * 3"), at("2024-01-03", "20:00"));
    assert.equal(both("* * * * *", "0 7 * * *"), at("2024-01-01", "07:00"));
  });
});

describe("a cron line", () => {
  it("takes a cron line with five fields that comes some day", () => {
    for (const line of [
      ...["0 20 * * 1-5", " 0 20  * * MON-FRI ", "*/15 20 1,15 * *"],
      ...["0 0 29 2 *", "0 20 * * 7", "0 20 L * *"],
    ]) {
      assert.equal(cronProblem(line), undefined, line);
    }
  });

  it("refuses a cron line with the reason", () => {
    const usual = "must be a cron line of five fields, such as '0 20 * * 1-5': minute, hour, day, month, weekday";
    const problems = {
      "": usual,
      "0 20 * *": usual,
      "@daily": usual,
      "? 20 * * *": usual,
      "0 0 20 * * *": "has 6 fields, and must have five: minute, hour, day, month, weekday; leave out the seconds",
      "0 0 20 * * * 2027": "has 7 fields, and must have five: minute, hour, day, month, weekday; leave out the seconds",
      "0 25 * * *": "is no cron line: Invalid value for hour: 25",
      "0 0 30 2 *": "never comes: there is no such day; set another day or month",
      "0 0 31 4 *": "never comes: there is no such day; set another day or month",
    };
    assert.deepEqual(Object.fromEntries(Object.keys(problems).map((line) => [line, cronProblem(line)])), problems);
  });
});

describe("a time zone", () => {
  it("takes names of the IANA database as time zones", () => {
    const names = ["Europe/Zurich", "UTC", "America/Argentina/Ushuaia", "Europe/Zurch", "+01:00", "", "Mars/Olympus"];
    const zones = names.filter((name) => isTimeZone(name));
    assert.deepEqual(zones, names.slice(0, 3));
  });
});
