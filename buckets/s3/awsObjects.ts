import type * as aws from "@aws-sdk/client-s3";
import { given } from "../../config/values/maps.ts";
import { answered, type Send } from "./awsFailures.ts";
import { isRefusal, S3Failure } from "./failures.ts";
import type { KeptObject, ObjectVersion, Upload, VersionMarker, VersionPage } from "./s3.ts";

export class AwsObjects {
  protected readonly client: aws.S3;
  protected readonly send: Send;

  constructor(client: aws.S3, send: Send) {
    this.client = client;
    this.send = send;
  }

  async listObjectVersions(Bucket: string, from: VersionMarker = {}): Promise<VersionPage> {
    const input = {
      ...{ Bucket, MaxKeys: 1000, EncodingType: "url" as const },
      ...(from.key === undefined ? {} : { KeyMarker: from.key }),
      ...(from.versionId === undefined ? {} : { VersionIdMarker: from.versionId }),
    };
    const page = await this.send("ListObjectVersions", (options) => this.client.listObjectVersions(input, options));
    answered("ListObjectVersions", page.Versions ?? page.DeleteMarkers, page.Name);
    const versions = [
      ...(page.Versions ?? []).flatMap((version) => versionOf(version, page)),
      ...(page.DeleteMarkers ?? []).flatMap((version) => versionOf({ ...version, marker: true }, page)),
    ];
    const { NextKeyMarker: key, NextVersionIdMarker: versionId } = page;
    if (!page.IsTruncated || !key) {
      return { versions };
    }
    return { versions, next: { key: decoded(key, page), ...(versionId ? { versionId } : {}) } };
  }

  async listObjects(Bucket: string, from: VersionMarker = {}): Promise<VersionPage> {
    const input = {
      ...{ Bucket, MaxKeys: 1000, EncodingType: "url" as const },
      ...(from.key === undefined ? {} : { StartAfter: from.key }),
    };
    const page = await this.send("ListObjectsV2", (options) => this.client.listObjectsV2(input, options));
    const objects = answered("ListObjectsV2", page.Contents, page.Name ?? page.KeyCount);
    const versions = objects.flatMap(({ Key, LastModified }) => versionOf({ Key, LastModified }, page));
    const last = versions.at(-1);
    return page.IsTruncated && last !== undefined ? { versions, next: { key: last.key } } : { versions };
  }

  async deleteObjects(Bucket: string, versions: readonly ObjectVersion[]): Promise<readonly KeptObject[]> {
    const [inXml, others] = [versions.filter(({ key }) => isXml(key)), versions.filter(({ key }) => !isXml(key))];
    const kept = inXml.length === 0 ? [] : await this.#deleteListed(Bucket, inXml);
    for (const version of others) {
      kept.push(...(await this.#deleteOne(Bucket, version)));
    }
    return kept;
  }

  async #deleteListed(Bucket: string, versions: readonly ObjectVersion[]): Promise<KeptObject[]> {
    const Delete = { Objects: versions.map(nameOf), Quiet: true };
    const { Errors = [] } = await this.send("DeleteObjects", (options) =>
      this.client.deleteObjects({ Bucket, Delete }, options),
    );
    return Errors.map(({ Key = "", Code = "", Message = "" }) => ({ key: Key, reason: Message || Code }));
  }

  /** Takes the name in the URL, for names that XML can't contain. */
  async #deleteOne(Bucket: string, version: ObjectVersion): Promise<KeptObject[]> {
    try {
      await this.send("DeleteObject", (options) => this.client.deleteObject({ Bucket, ...nameOf(version) }, options));
      return [];
    } catch (error) {
      if (!(error instanceof S3Failure && isRefusal(error))) {
        throw error;
      }
      return [{ key: version.key, reason: error.message || error.code }];
    }
  }

  async listMultipartUploads(Bucket: string): Promise<readonly Upload[]> {
    const input = { Bucket, MaxUploads: 1000, EncodingType: "url" as const };
    const page = await this.send("ListMultipartUploads", (options) => this.client.listMultipartUploads(input, options));
    const uploads = answered("ListMultipartUploads", page.Uploads, page.Bucket);
    return uploads.map(({ Key = "", UploadId = "" }) => ({ key: decoded(Key, page), uploadId: UploadId }));
  }

  async abortMultipartUpload(Bucket: string, { key, uploadId }: Upload): Promise<void> {
    const input = { Bucket, Key: key, UploadId: uploadId };
    await this.send("AbortMultipartUpload", (options) => this.client.abortMultipartUpload(input, options));
  }
}

const nameOf = ({ key, versionId }: ObjectVersion) => ({
  Key: key,
  ...(versionId === undefined ? {} : { VersionId: versionId }),
});

function versionOf(
  { Key, VersionId: versionId, LastModified: lastModified, marker = false }: Listed,
  page: Encoded,
): ObjectVersion[] {
  if (Key === undefined) {
    return [];
  }
  const key = decoded(Key, page);
  return [{ key, marker, ...given({ versionId, lastModified }, "versionId", "lastModified") }];
}

type Listed = Pick<aws.ObjectVersion, "Key" | "VersionId" | "LastModified"> & { readonly marker?: boolean };

interface Encoded {
  readonly EncodingType?: string | undefined;
}

/** Decodes a name. Requests ask for URL encoding because XML can't contain all names; some servers ignore that. */
function decoded(name: string, { EncodingType }: Encoded): string {
  if (EncodingType !== "url") {
    return name;
  }
  try {
    return decodeURIComponent(name.replaceAll("+", " "));
  } catch {
    return name;
  }
}

/** Whether XML can contain a name. @see https://www.w3.org/TR/xml/#charsets */
function isXml(name: string): boolean {
  return [...name].every((char) => {
    const code = char.codePointAt(0) ?? 0;
    if (code < 0x20) {
      return "\t\n\r".includes(char);
    }
    return (code < 0xd800 || code > 0xdfff) && code !== 0xfffe && code !== 0xffff;
  });
}
