import assert from "node:assert/strict";
import { csvText } from "../../../../commands/common/csv.ts";
import { groupsOf } from "../../../../commands/common/usage.ts";
import { groupCells, memberCells } from "../../../../commands/members/csvCells.ts";
import { groupJson, memberJson } from "../../../../commands/members/rows.ts";
import { memberOverview } from "./memberOverview.ts";

const ada = memberOverview("ada", {
  pods: 2,
  usage: {
    pods: { used: "2", hard: "50" },
    "limits.cpu": { used: "250m", hard: "1" },
    "limits.memory": { used: undefined, hard: "1Gi" },
    "requests.nvidia.com/gpu": { used: "1", hard: "2" },
    "fast.storageclass.storage.k8s.io/requests.storage": { used: "1Gi", hard: "2Gi" },
  },
});
const kim = memberOverview("kim", { type: undefined, reason: "=1" });

describe("members as CSV", () => {
  it("have a line each, with labels by key and numbers of one unit", () => {
    const rows = [memberCells(memberJson(ada, { course: "cs101" })), memberCells(memberJson(kim, undefined))];
    assert.deepEqual(csvText(rows).split("\r\n"), [
      "stack,member,namespace,type,labels.course,state,reason,url,expires,leaves,protected,podsUsed,podsHard," +
        "persistentVolumeClaimsUsed,persistentVolumeClaimsHard,cpuUsedMillicores,cpuHardMillicores,memoryUsedBytes," +
        "memoryHardBytes,storageUsedBytes,storageHardBytes,devices.nvidia.com/gpu.used,devices.nvidia.com/gpu.hard," +
        "storageClasses.fast.usedBytes,storageClasses.fast.hardBytes",
      "dev,ada,ada,user,cs101,ready,,,,,false,2,50,,,250,1000,,1073741824,,,1,2,1073741824,2147483648",
      "dev,kim,kim,,,ready,'=1,,,,false,0,,,,,,,,,,,,,\r",
    ]);
  });

  it("have a line for each group, empty for those without the label, also of a label named as a column", () => {
    const groups = groupsOf([ada, kim], ({ member }) => (member === "ada" ? "cs101" : undefined));
    const rows = groups.map((group) => groupCells(groupJson("members", group)));
    assert.deepEqual(csvText(rows).split("\r\n"), [
      "label,value,members,withoutQuota,cpuUsedMillicores,cpuHardMillicores,memoryUsedBytes,memoryHardBytes," +
        "storageUsedBytes,storageHardBytes,devices.nvidia.com/gpu.used,devices.nvidia.com/gpu.hard," +
        "storageClasses.fast.usedBytes,storageClasses.fast.hardBytes",
      "members,cs101,1,0,250,1000,,1073741824,,,1,2,1073741824,2147483648",
      "members,,1,1,,,,,,,,,,\r",
    ]);
  });
});
