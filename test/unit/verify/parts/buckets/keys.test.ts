import assert from "node:assert/strict";
import { objectUrl } from "../../../../../verify/parts/buckets/keys.ts";

const access = { region: "eu-west-1", forcePathStyle: true, accessKeyId: "", secretAccessKey: "" };
const url = (more: object) => objectUrl({ ...access, ...more }, "b").href;

describe("keys to buckets", () => {
  it("are left out in a request to where the server has the object", () => {
    assert.deepEqual(
      [
        url({ endpoint: "http://127.0.0.1:7070" }),
        url({ endpoint: "https://s3.example.org", forcePathStyle: false }),
        url({ forcePathStyle: false }),
      ],
      [
        "http://127.0.0.1:7070/b/kubecamp-verify",
        "https://b.s3.example.org/kubecamp-verify",
        "https://b.s3.eu-west-1.amazonaws.com/kubecamp-verify",
      ],
    );
  });
});
