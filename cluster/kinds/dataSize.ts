import { isMap } from "../../config/values/maps.ts";

export const mostData = 1024 * 1024;

/** Bytes of an object's data under other keys than these, as the API server counts them. */
export function dataBeside({ data, binaryData }: Readonly<Record<string, unknown>>, names: readonly string[]): number {
  const sizes = (entries: unknown, sizeOf: (value: string) => number) =>
    Object.entries(isMap(entries) ? entries : {}).map(([name, value]) =>
      names.includes(name) ? 0 : sizeOf(String(value)),
    );
  const all = [...sizes(data, Buffer.byteLength), ...sizes(binaryData, (value) => Buffer.byteLength(value, "base64"))];
  return all.reduce((sum, size) => sum + size, 0);
}
