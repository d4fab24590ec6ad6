import * as aws from "@aws-sdk/client-s3";
import { answered, type Send } from "./awsFailures.ts";
import { isRefusal, S3Failure } from "./failures.ts";
import type { KeptObject, ObjectVersion, S3 } from "./s3.ts";

type ObjectOperations = Pick<
  S3,
  "listObjectVersions" | "listObjects" | "deleteObjects" | "listMultipartUploads" | "abortMultipartUpload"
>;

/** Operations to empty a bucket. Object names may contain any characters. */
export function awsObjects(client: aws.S3Client, send: Send): ObjectOperations {
  const deleteListed = async (Bucket: string, versions: readonly ObjectVersion[]): Promise<KeptObject[]> => {
    const Objects = versions.map(({ key, versionId }) => ({
      Key: key,
      ...(versionId === undefined ? {} : { VersionId: versionId }),
    }));
    const { Errors = [] } = await send("DeleteObjects", (options) =>
      client.send(new aws.DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }), options),
    );
    return Errors.map(({ Key = "", Code = "", Message = "" }) => ({ key: Key, reason: Message || Code }));
  };

  /** Takes the name in the URL, for names that XML can't contain. */
  const deleteOne = async (Bucket: string, { key, versionId }: ObjectVersion): Promise<KeptObject[]> => {
    const version = versionId === undefined ? {} : { VersionId: versionId };
    const command = new aws.DeleteObjectCommand({ Bucket, Key: key, ...version });
    try {
      await send("DeleteObject", (options) => client.send(command, options));
      return [];
    } catch (error) {
      if (!(error instanceof S3Failure && isRefusal(error))) throw error;
      return [{ key, reason: error.message || error.code }];
    }
  };

  return {
    async listObjectVersions(Bucket, from = {}) {
      const command = new aws.ListObjectVersionsCommand({
        Bucket,
        MaxKeys: 1000,
        EncodingType: "url",
        ...(from.key === undefined ? {} : { KeyMarker: from.key }),
        ...(from.versionId === undefined ? {} : { VersionIdMarker: from.versionId }),
      });
      const page = await send("ListObjectVersions", (options) => client.send(command, options));
      answered("ListObjectVersions", page.Versions ?? page.DeleteMarkers, page.Name);
      const versions = [
        ...(page.Versions ?? []).flatMap((version) => versionOf(version, false, page)),
        ...(page.DeleteMarkers ?? []).flatMap((marker) => versionOf(marker, true, page)),
      ];
      const { NextKeyMarker: key, NextVersionIdMarker: versionId } = page;
      if (!page.IsTruncated || !key) return { versions };
      return { versions, next: { key: decoded(key, page), ...(versionId ? { versionId } : {}) } };
    },
    async listObjects(Bucket, from = {}) {
      const command = new aws.ListObjectsV2Command({
        Bucket,
        MaxKeys: 1000,
        EncodingType: "url",
        ...(from.key === undefined ? {} : { StartAfter: from.key }),
      });
      const page = await send("ListObjectsV2", (options) => client.send(command, options));
      const versions = answered("ListObjectsV2", page.Contents, page.Name ?? page.KeyCount).flatMap(
        ({ Key, LastModified }) => versionOf({ Key, LastModified }, false, page),
      );
      const last = versions.at(-1);
      return page.IsTruncated && last !== undefined ? { versions, next: { key: last.key } } : { versions };
    },
    async deleteObjects(Bucket, versions) {
      const [inXml, others] = [versions.filter(({ key }) => isXml(key)), versions.filter(({ key }) => !isXml(key))];
      const refusals = inXml.length === 0 ? [] : await deleteListed(Bucket, inXml);
      for (const version of others) refusals.push(...(await deleteOne(Bucket, version)));
      return refusals;
    },
    async listMultipartUploads(Bucket) {
      const command = new aws.ListMultipartUploadsCommand({ Bucket, MaxUploads: 1000, EncodingType: "url" });
      const page = await send("ListMultipartUploads", (options) => client.send(command, options));
      return answered("ListMultipartUploads", page.Uploads, page.Bucket).map(({ Key = "", UploadId = "" }) => ({
        key: decoded(Key, page),
        uploadId: UploadId,
      }));
    },
    async abortMultipartUpload(Bucket, { key, uploadId }) {
      const command = new aws.AbortMultipartUploadCommand({ Bucket, Key: key, UploadId: uploadId });
      await send("AbortMultipartUpload", (options) => client.send(command, options));
    },
  };
}

function versionOf(
  {
    Key,
    VersionId: versionId,
    LastModified: lastModified,
  }: Pick<aws.ObjectVersion, "Key" | "VersionId" | "LastModified">,
  marker: boolean,
  page: Encoded,
): ObjectVersion[] {
  if (Key === undefined) return [];
  return [
    {
      key: decoded(Key, page),
      marker,
      ...(versionId === undefined ? {} : { versionId }),
      ...(lastModified === undefined ? {} : { lastModified }),
    },
  ];
}

/** Encoding of the names in an answer. */
interface Encoded {
  readonly EncodingType?: string | undefined;
}

/** Decodes a name. Requests ask for URL encoding because XML can't contain all names; some servers ignore that. */
function decoded(name: string, { EncodingType }: Encoded): string {
  if (EncodingType !== "url") return name;
  try {
    return decodeURIComponent(name.replaceAll("+", " "));
  } catch {
    return name;
  }
}

/**
 * Whether XML can contain a name.
 * @see https://www.w3.org/TR/xml/#charsets
 */
function isXml(name: string): boolean {
  return [...name].every((char) => {
    const code = char.codePointAt(0) ?? 0;
    if (code < 0x20) return "\t\n\r".includes(char);
    return (code < 0xd800 || code > 0xdfff) && code !== 0xfffe && code !== 0xffff;
  });
}
