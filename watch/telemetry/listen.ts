import type { Server as HttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { RunError } from "../../config/model/runError.ts";

interface ListenOptions {
  readonly address: string;
  /** 0: any free port. */
  readonly port: number;
  /** Option or setting with the port, for messages. Default: `--port`. */
  readonly setting?: string;
}

export interface Server {
  readonly url: string;
  close(): Promise<void>;
}

/** @throws RunError when the address can't be listened on */
export async function listen(http: HttpServer, { address, port, setting = "--port" }: ListenOptions): Promise<Server> {
  await new Promise<void>((resolve, reject) => {
    http.once("error", (cause) => reject(listenError(cause, { address, port, setting })));
    http.listen(port, address, resolve);
  });
  const { port: chosen } = http.address() as AddressInfo;
  return {
    url: `http://${address.includes(":") ? `[${address}]` : address}:${chosen}`,
    close: () =>
      new Promise((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
}

function listenError(cause: NodeJS.ErrnoException, { address, port, setting }: Required<ListenOptions>): RunError {
  const remedies: Readonly<Record<string, string>> = {
    EADDRINUSE: `Another program listens there, maybe another watch: end it, or choose another ${setting}${
      setting === "--port" ? " (0: any free one)" : ""
    }.`,
    EACCES: `Only root may listen on ports below 1024: choose another ${setting}.`,
  };
  const remedy = remedies[cause.code ?? ""] ?? "Choose an --address of this machine, such as 127.0.0.1 or 0.0.0.0.";
  return new RunError(`Can't listen on ${address} port ${port}: ${cause.message}\n${remedy}`);
}
