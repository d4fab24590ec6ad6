import { bySegments, ingressDriver } from "./ingressDriver.ts";

const prefix = "projectcontour.io/";
const tlsPorts = `${prefix}upstream-protocol.tls`;

/**
 * Contour rewrites and verifies for its own HTTPProxy only, not for an Ingress.
 * @see https://projectcontour.io/docs/main/config/annotations/
 */
export const contour = ingressDriver({
  prefixes: [prefix],
  annotations: { Ingress: [], Service: [tlsPorts] },
  apiGroups: ["projectcontour.io"],
  caKey: "ca.crt",
  paths: bySegments,
  tlsOnService: () => ({ [tlsPorts]: "443" }),
  tlsOf: ({ annotations }) => (annotations[tlsPorts] === undefined ? undefined : "unchecked"),
  strips: () => false,
});
