/** An error and its causes, from the outside in. fetch itself only says "fetch failed". */
function causesOf(error: unknown): unknown[] {
  const { cause } = error instanceof Error ? error : {};
  const inner = error instanceof AggregateError ? error.errors[0] : cause;
  return inner === undefined ? [error] : [error, ...causesOf(inner)];
}

export function codesOf(error: unknown): string[] {
  return causesOf(error).flatMap((cause) =>
    cause instanceof Error && "code" in cause && typeof cause.code === "string" ? [cause.code] : [],
  );
}

export function innermost(error: unknown): string {
  const last = causesOf(error).at(-1);
  return last instanceof Error ? last.message || last.name : String(last);
}

const remedies: readonly { readonly codes: RegExp; readonly remedy: string }[] = [
  {
    codes: /^(ENOTFOUND|EAI_AGAIN)$/,
    remedy: "That name is not known here: is the server in the kubeconfig right, and the VPN, if it needs one, up?",
  },
  {
    codes: /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH)$/,
    remedy: "Is the cluster up, and is the kubeconfig's context the right one? Then run again.",
  },
  {
    codes: /^(UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT)$/,
    remedy:
      "Nothing answers there: is the VPN up, and does a firewall or HTTPS_PROXY stand in between? Then run again.",
  },
  {
    codes: /^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/,
    remedy: "Have the API server's certificate renewed, and see that this machine's clock is right, then run again.",
  },
  {
    codes: /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    remedy:
      "The certificate is for another name: correct the server in the kubeconfig, or set tls-server-name beside it, then run again.",
  },
  {
    codes: /^(SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_.*|CERT_.*)$/,
    remedy:
      "The certificate is from a CA that neither the kubeconfig nor this machine knows: get a kubeconfig of this cluster " +
      "with the right certificate-authority-data, then run again.",
  },
];

export function networkRemedy(error: unknown): string | undefined {
  const codes = codesOf(error);
  return remedies.find((it) => codes.some((code) => it.codes.test(code)))?.remedy;
}
