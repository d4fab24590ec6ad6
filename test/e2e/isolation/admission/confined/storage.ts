import { type Attempt, policy } from "./attempt.ts";

export const claims = "/api/v1/namespaces/ann/persistentvolumeclaims";
export const claim = (name: string, spec: object, annotations: object = {}) => ({
  metadata: { name, annotations },
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } }, ...spec },
});

/** Storage that ann may not have. */
export const storage: readonly Attempt[] = [
  [
    "a class that is not named",
    "POST",
    claims,
    claim("a", { storageClassName: "slow" }),
    policy(
      "storage",
      "PersistentVolumeClaim 'a' has the StorageClass 'slow', its own or the default, which namespace 'ann' may not use: set storageClassName to fast, or ask platform@example.org",
    ),
  ],
  [
    "a class of which there is nothing",
    "POST",
    claims,
    claim("a", { storageClassName: "bulk" }),
    policy("storage", "PersistentVolumeClaim 'a' has the StorageClass 'bulk'"),
  ],
  [
    "the default class, by naming none",
    "POST",
    claims,
    claim("a", {}),
    policy("storage", "PersistentVolumeClaim 'a' has the StorageClass 'slow'"),
  ],
  [
    "any volume without a class",
    "POST",
    claims,
    claim("a", { storageClassName: "" }),
    policy("storage", "PersistentVolumeClaim 'a' has no StorageClass"),
  ],
  [
    "another class in the words of long ago",
    "POST",
    claims,
    claim("a", { storageClassName: "fast" }, { "volume.beta.kubernetes.io/storage-class": "slow" }),
    policy("storage", "PersistentVolumeClaim 'a' has the StorageClass 'slow'"),
  ],
  [
    "a faster volume by a class of attributes",
    "POST",
    claims,
    claim("a", { storageClassName: "fast", volumeAttributesClassName: "gold" }),
    policy(
      "storage",
      "PersistentVolumeClaim 'a' has the VolumeAttributesClass 'gold', and namespace 'ann' may have none: leave volumeAttributesClassName out, or ask platform@example.org",
    ),
  ],
  [
    "more than its share of the class",
    "POST",
    claims,
    claim("a", { storageClassName: "fast", resources: { requests: { storage: "20Gi" } } }),
    /exceeded quota: quota, requested: fast.storageclass.storage.k8s.io\/requests.storage=20Gi/,
  ],
];
