import { X509Certificate } from "node:crypto";
import type { EntryOf } from "../values/issues.ts";
import { text } from "../values/values.ts";
import type { routeSchema } from "./route.ts";

/**
 * Source of the certificate of the public hosts: a Secret in the controller's namespace, or cert-manager, which makes
 * one for each host.
 * @see https://cert-manager.io/docs/usage/ingress/
 */
export type TlsSettings =
  | { readonly secretName: string }
  | { readonly clusterIssuer: string }
  | { readonly issuer: string };

const certificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Whether a text consists of CA certificates, and nothing else, such as a private key. */
function isCa(value: string): boolean {
  const certificates = value.match(certificate) ?? [];
  try {
    const areCas = certificates.length > 0 && certificates.every((each) => new X509Certificate(each).ca);
    return areCas && value.replaceAll(certificate, "").trim() === "";
  } catch {
    return false;
  }
}

/** The valid certificates in a text, each as PEM; other content is ignored. */
export function certificatesIn(value: string): string[] {
  return (value.match(certificate) ?? []).filter((each) => {
    try {
      return new X509Certificate(each).raw.length > 0;
    } catch {
      return false;
    }
  });
}

/** PEM text of one or more CA certificates. */
export const caText = text.refine(isCa, "must be the certificate of a CA, as PEM text, and nothing else");

export function tlsOf({
  secretName,
  clusterIssuer,
  issuer = "",
}: NonNullable<EntryOf<typeof routeSchema>["tls"]>): TlsSettings {
  if (secretName !== undefined) {
    return { secretName };
  }
  return clusterIssuer === undefined ? { issuer } : { clusterIssuer };
}
