import type { Logger } from "pino";
import type { Metrics } from "../telemetry/metrics.ts";
import { type AdminMessage, type Channel, sendFailure } from "./channels.ts";

/** Milliseconds between two messages: what comes for many members at a time is one message. */
const pause = 5 * 60_000;
/** Milliseconds until a message that was not taken is sent again: doubled each time, up to an hour. */
const firstRetry = 60_000;
const longestRetry = 3_600_000;

export class Outlet {
  readonly #channel: Channel;
  readonly #log: Logger;
  readonly #metrics: Metrics;
  readonly #now: () => number;
  #failures = 0;
  #notBefore = Number.NEGATIVE_INFINITY;

  /** @param now monotonic clock, in milliseconds */
  constructor(channel: Channel, log: Logger, metrics: Metrics, now: () => number) {
    this.#channel = channel;
    this.#log = log;
    this.#metrics = metrics;
    this.#now = now;
  }

  get name(): string {
    return this.#channel.name;
  }

  get isFree(): boolean {
    return this.#now() >= this.#notBefore;
  }

  /** @returns whether the message was taken; a failure is logged and counted, and stops nothing */
  async send(message: AdminMessage): Promise<boolean> {
    const { name } = this.#channel;
    const members = message.findings.map(({ member }) => member);
    try {
      await this.#channel.send(message);
      this.#metrics.messages.inc({ channel: name, result: "sent" });
      this.#log.info({ action: "message sent", channel: name, members }, `told admins by ${name}`);
      this.#failures = 0;
      this.#notBefore = this.#now() + pause;
      return true;
    } catch (error) {
      this.#metrics.messages.inc({ channel: name, result: "failed" });
      const retry = Math.min(firstRetry * 2 ** this.#failures, longestRetry);
      this.#failures++;
      this.#notBefore = this.#now() + retry;
      this.#log.warn(
        { action: "message failed", channel: name, members, reason: sendFailure(error, this.#channel) },
        `the message by ${name} failed; the next try is in ${retry / 60_000} minutes`,
      );
      return false;
    }
  }
}
