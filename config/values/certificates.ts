import { X509Certificate } from "node:crypto";
import { text } from "./values.ts";

const certificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

function isCa(value: string): boolean {
  const certificates = value.match(certificate) ?? [];
  try {
    const areCas = certificates.length > 0 && certificates.every((each) => new X509Certificate(each).ca);
    return areCas && value.replaceAll(certificate, "").trim() === "";
  } catch {
    return false;
  }
}

export function certificatesIn(value: string): string[] {
  return (value.match(certificate) ?? []).filter((each) => {
    try {
      return new X509Certificate(each).raw.length > 0;
    } catch {
      return false;
    }
  });
}

export const caText = text.refine(isCa, "must be the certificate of a CA, as PEM text, and nothing else");
