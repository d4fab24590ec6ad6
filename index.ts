import "./runs/nodeSettings.ts";
import { stack } from "./components/program.ts";

/** The stack's outputs: docs/reference/outputs.md. */
export const { members, pending } = await stack();
