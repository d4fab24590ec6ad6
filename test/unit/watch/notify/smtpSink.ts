import { createServer, type Server, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { listening } from "../../../support/listening.ts";

/** A mail as the server got it. */
interface Mail {
  readonly from: string;
  readonly to: readonly string[];
  /** Headers and text. */
  readonly data: string;
}

/** A mail server on this machine that keeps what it gets, and may refuse it. */
export class SmtpSink {
  readonly mails: Mail[] = [];
  /** Credentials, as clients sent them. */
  readonly signIns: string[] = [];
  /** Answer to the sender, such as `451 later`. Default: it takes all. */
  refusal: string | undefined;
  #server: Server | undefined;
  readonly #sockets = new Set<Socket>();

  /** @returns its port */
  async start(): Promise<number> {
    this.#server = createServer((socket) => this.#serve(socket));
    return await listening(this.#server);
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) {
      socket.destroy();
    }
    await new Promise((resolve) => this.#server?.close(resolve) ?? resolve(undefined));
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on("close", () => this.#sockets.delete(socket)).on("error", () => socket.destroy());
    const say = (line: string) => socket.write(`${line}\r\n`);
    let mail = { from: "", to: [] as string[], data: "" };
    let isData = false;
    say("220 sink");
    createInterface({ input: socket, crlfDelay: Number.POSITIVE_INFINITY }).on("line", (line) => {
      const command = line.toUpperCase();
      if (isData) {
        isData = line !== ".";
        if (isData) {
          mail.data += `${line}\n`;
        } else {
          this.mails.push(mail);
          mail = { from: "", to: [], data: "" };
          say("250 taken");
        }
      } else if (command.startsWith("EHLO")) {
        say("250-sink");
        say("250 AUTH PLAIN");
      } else if (command.startsWith("AUTH PLAIN")) {
        this.signIns.push(Buffer.from(line.slice("AUTH PLAIN ".length), "base64").toString());
        say("235 signed in");
      } else if (command.startsWith("MAIL FROM:")) {
        mail.from = addressIn(line);
        say(this.refusal ?? "250 go on");
      } else if (command.startsWith("RCPT TO:")) {
        mail.to.push(addressIn(line));
        say("250 go on");
      } else if (command === "DATA") {
        isData = true;
        say("354 go on");
      } else if (command === "STARTTLS") {
        say("502 not here");
      } else if (command === "QUIT") {
        say("221 bye");
        socket.end();
      } else {
        say("250 go on");
      }
    });
  }
}

const addressIn = (line: string) => /<(.*?)>/.exec(line)?.[1] ?? "";
