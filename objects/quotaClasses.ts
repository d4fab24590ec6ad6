import { isDeviceClass } from "../config/member/confinement.ts";
import { count, type Field, memory } from "./field.ts";

/** Resources. @see https://kubernetes.io/docs/concepts/policy/resource-quotas/#quota-for-extended-resources */
const ofDeviceClass = ".deviceclass.resource.k8s.io/devices";
const ofExtended = "requests.";
const ofStorageClass = ".storageclass.storage.k8s.io/requests.storage";

export const deviceResource = (device: string) =>
  isDeviceClass(device) ? `${device}${ofDeviceClass}` : `${ofExtended}${device}`;

export const storageResource = (storageClass: string) => `${storageClass}${ofStorageClass}`;

/** The device that a resource counts; undefined if it counts something else. */
export function deviceIn(resource: string): string | undefined {
  if (resource.endsWith(ofDeviceClass)) {
    return resource.slice(0, -ofDeviceClass.length);
  }
  return resource.startsWith(ofExtended) && resource.includes("/") ? resource.slice(ofExtended.length) : undefined;
}

/** The StorageClass whose storage a resource counts; undefined if it counts something else. */
export const storageClassIn = (resource: string): string | undefined =>
  resource.endsWith(ofStorageClass) ? resource.slice(0, -ofStorageClass.length) : undefined;

/** Beginnings of names of the fields that count these. */
export const deviceWord = "device ";
export const storageWord = "storage of class ";

/** The field of a resource that counts a device or the storage of a StorageClass, which settings name. */
export function fieldOfClass(resource: string): Field | undefined {
  const [device, storageClass] = [deviceIn(resource), storageClassIn(resource)];
  if (device !== undefined) {
    return count(`${deviceWord}${device}`);
  }
  return storageClass === undefined ? undefined : memory(`${storageWord}${storageClass}`);
}
