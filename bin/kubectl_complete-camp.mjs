#!/usr/bin/env node

// kubectl runs it to complete `kubectl camp`, with the words after `camp`, and reads the answer as cobra's.
// https://kubernetes.io/docs/tasks/extend-kubectl/kubectl-plugins/#creating-completion-scripts
process.argv.splice(2, 0, "complete", "--");
await import("./kubecamp.mjs");
