import { Option } from "commander";

/** How a command prints its answer, in the first of these forms where nobody says. */
export const outputOption = (...formats: readonly string[]) =>
  new Option("-o, --output <format>", "how it is printed").choices(formats).default(formats[0]);
