import { Option } from "commander";

/** The option for a command's output format; the first format is the default. */
export const outputOption = (...formats: readonly string[]) =>
  new Option("-o, --output <format>", "output format").choices(formats).default(formats[0]);
