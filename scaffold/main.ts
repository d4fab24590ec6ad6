import "../commands/colour.ts";
import { scaffoldedCommand } from "./kubecamp.ts";

await scaffoldedCommand().parseAsync();
