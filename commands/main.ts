import "./common/colour.ts";
import { kubecampCommand } from "./kubecamp.ts";

await kubecampCommand().parseAsync();
