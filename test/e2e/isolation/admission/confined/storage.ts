import { type Attempt, policy } from "./attempt.ts";

export const claims = "/api/v1/namespaces/ann/persistentvolumeclaims";
export const claim = (name: string, spec: object, annotations: object = {}) => ({
  metadata: { name, annotations },
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } }, ...spec },
});

/** Storage that ann may not have. */
export const storage: readonly Attempt[] = [
  [
    "refuses a StorageClass that the type does not name",
    "POST",
    claims,
    claim("a", { storageClassName: "slow" }),
    policy(
      "storage",
      "PersistentVolumeClaim 'a' has the StorageClass 'slow', its own or the default, which namespace 'ann' may not use: set storageClassName to fast, or ask platform@example.org",
    ),
  ],
  [
    "refuses a StorageClass of which the type has nothing",
    "POST",
    claims,
    claim("a", { storageClassName: "bulk" }),
    policy("storage", "PersistentVolumeClaim 'a' has the StorageClass 'bulk'"),
  ],
  [
    "refuses the default StorageClass, by naming none",
    "POST",
    claims,
    claim("a", {}),
    policy("storage", "PersistentVolumeClaim 'a' has the StorageClass 'slow'"),
  ],
  [
    "refuses a claim for any volume without a StorageClass",
    "POST",
    claims,
    claim("a", { storageClassName: "" }),
    policy("storage", "PersistentVolumeClaim 'a' has no StorageClass"),
  ],
  [
    "refuses another StorageClass by the annotation of long ago",
    "POST",
    claims,
    claim("a", { storageClassName: "fast" }, { "volume.beta.kubernetes.io/storage-class": "slow" }),
    policy("storage", "PersistentVolumeClaim 'a' has the StorageClass 'slow'"),
  ],
  [
    "refuses a faster volume by a VolumeAttributesClass",
    "POST",
    claims,
    claim("a", { storageClassName: "fast", volumeAttributesClassName: "gold" }),
    policy(
      "storage",
      "PersistentVolumeClaim 'a' has the VolumeAttributesClass 'gold', and namespace 'ann' may have none: leave volumeAttributesClassName out, or ask platform@example.org",
    ),
  ],
  [
    "refuses a claim for more than the type's share of the StorageClass",
    "POST",
    claims,
    claim("a", { storageClassName: "fast", resources: { requests: { storage: "20Gi" } } }),
    /exceeded quota: quota, requested: fast.storageclass.storage.k8s.io\/requests.storage=20Gi/,
  ],
];
