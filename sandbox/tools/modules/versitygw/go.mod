module kubecamp.dev/sandbox/tools/versitygw

go 1.26.0

tool github.com/versity/versitygw/cmd/versitygw

require github.com/versity/versitygw v1.8.0
