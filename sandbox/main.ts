import "../commands/common/colour.ts";
import { clonesCommand } from "./kubecamp.ts";

await clonesCommand().parseAsync();
