/** Names of limits in the report. */
export const limitWords = {
  bodyMiB: "largest request",
  timeoutSeconds: "time to answer",
  websockets: "WebSockets for",
};
