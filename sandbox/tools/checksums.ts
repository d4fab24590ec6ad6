const kwok = "https://github.com/kubernetes-sigs/kwok/releases/download/v0.8.0";
const versitygw = "https://github.com/versity/versitygw/releases/download/v1.8.0/versitygw_v1.8.0";
const actionlint = "https://github.com/rhysd/actionlint/releases/download/v1.7.12/actionlint_1.7.12";

/**
 * SHA-256 of releases, by address. Each stands in two other projects' pins at least, which agree, such as those of
 * distributions. For an address that is missing here, the publisher's own file of checksums counts.
 */
export const checksums: Readonly<Record<string, string>> = {
  "https://dl.k8s.io/release/v1.36.3/bin/linux/amd64/kubectl":
    "ebbd080e7c2e275093b55915722043257eb24004363e20acb3c4d71919f88336",
  [`${kwok}/kwok-linux-amd64`]: "f5a4385a2ae1b9dd7f8acae18e002a75c0ebba124ae9d7259aa8dadb50711f46",
  [`${kwok}/kwok-linux-arm64`]: "628f7d277860f524a2a775c217adcc58828e7b59ab0933680315784f1b8b0e37",
  [`${kwok}/kwok-darwin-arm64`]: "69a064ec98d37844d9d742b5b28ff57825659a983ccc3e208daa6948b94d64ba",
  [`${kwok}/kwokctl-linux-amd64`]: "d5743166c657283d6e827c7c4c20cacfd9009fd94830f06718ca7b2c7099461f",
  [`${kwok}/kwokctl-linux-arm64`]: "5a642b27d3e975f36040d215640cd90fb4a63cb6fca0ad5865a61bcd9c81051b",
  [`${kwok}/kwokctl-darwin-arm64`]: "9323a59adb9c27854bd2a76652ad00258bcbb68acc40aba0dc21e362b67b7d6a",
  [`${versitygw}_Linux_x86_64.tar.gz`]: "2ba2c734d10d2c4e651d03182cb4b246656bc735a2f282db7b0b73fba6073467",
  [`${versitygw}_Linux_arm64.tar.gz`]: "b34051d33f5a9c457f790896acb7bd7d7e15ad8d92efb70616b924f37e401910",
  [`${versitygw}_Darwin_x86_64.tar.gz`]: "104bd978e80ef0173554cfd8630ccc5bac24b00da440510b60365a3b6b6ab134",
  [`${versitygw}_Darwin_arm64.tar.gz`]: "4953096f65a9c0d62ab184fb6b2ba7c2435229205cf00a56cb62cd4bf6b216ca",
  [`${actionlint}_linux_amd64.tar.gz`]: "8aca8db96f1b94770f1b0d72b6dddcb1ebb8123cb3712530b08cc387b349a3d8",
  [`${actionlint}_linux_arm64.tar.gz`]: "325e971b6ba9bfa504672e29be93c24981eeb1c07576d730e9f7c8805afff0c6",
  [`${actionlint}_darwin_amd64.tar.gz`]: "5b44c3bc2255115c9b69e30efc0fecdf498fdb63c5d58e17084fd5f16324c644",
  [`${actionlint}_darwin_arm64.tar.gz`]: "aba9ced2dee8d27fecca3dc7feb1a7f9a52caefa1eb46f3271ea66b6e0e6953f",
};
