import type { Message } from "./message.ts";

/** A way to tell admins. */
export interface Channel {
  readonly name: ChannelName;
  /** Sends a message. @throws Error, or anything, if it was not taken */
  readonly send: (message: Message) => Promise<void>;
  /** Texts that no log may show. */
  readonly secrets: readonly string[];
}

export const channelNames = ["webhook", "mail"] as const;
type ChannelName = (typeof channelNames)[number];

/** Time limit of one message, in milliseconds. */
export const patience = 15_000;
