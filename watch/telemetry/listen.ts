import type { Server as HttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { RunError } from "../../config/values/runError.ts";

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
    http.once("error", ({ message }) =>
      reject(new RunError(`Can't listen: ${message}\nChoose another ${setting}, or another --address.`)),
    );
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
