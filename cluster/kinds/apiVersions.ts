export const admission = "admissionregistration.k8s.io/v1";
export const apps = "apps/v1";
export const batch = "batch/v1";
export const envoyGateway = "gateway.envoyproxy.io/v1alpha1";
export const gatewayApi = "gateway.networking.k8s.io/v1";
export const networking = "networking.k8s.io/v1";
export const rbac = "rbac.authorization.k8s.io/v1";
