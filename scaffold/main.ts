import "../commands/common/colour.ts";
import { scaffoldedCommand } from "./kubecamp.ts";

await scaffoldedCommand().parseAsync();
