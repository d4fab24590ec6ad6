import { type Rule, sideOf, type When } from "./amount.ts";

/** CEL: a CronJob's schedule; nothing for other kinds. */
const scheduleOf = (when: When) =>
  `${sideOf(when)} == null || ${sideOf(when)}.kind != 'CronJob' ? '' : string(dyn(${sideOf(when)}).?spec.?schedule.orValue(''))`;

const every = "@every ";

/**
 * CronJobs run once a minute at most, as Cron's own schedules do: one controller makes everybody's Jobs, and another all their
 * pods.
 * @see https://pkg.go.dev/github.com/robfig/cron/v3#hdr-Intervals
 */
export const leastInterval: Rule = {
  from: { schedule: scheduleOf },
  isMet: `!variables.schedule.contains('${every}') || variables.schedule == variables.scheduleBefore
    || duration(variables.schedule.split('${every}')[1]) >= duration('1m')`,
  what: `"runs more often than once a minute (schedule '" + variables.schedule + "'), and would hold up everybody's Jobs: let it be once a minute or less"`,
};
