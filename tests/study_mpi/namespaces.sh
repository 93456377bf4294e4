#!/usr/bin/env bash
# Two machines in one: ranks in network namespaces with their own addresses and host names, connected by a virtual cable.
# usage: namespaces.sh FILUM MPIEXEC FOLDER. Exit code 77: this machine cannot do it (root, iproute2 and Open MPI needed).
set -euo pipefail
filum=$1 mpiexec=$2 folder=$3

skip() { echo "skipped: $1"; exit 77; }
((EUID == 0)) || skip "not root"
for tool in ip unshare orted; do command -v $tool >/dev/null || skip "$tool is missing"; done

# Names of this test alone: others may run at the same time.
id=$$
a=filum-a-$id b=filum-b-$id
net=10.$((64 + id / 256 % 64)).$((id % 256))
remove() {
  ip netns delete "$a" 2>/dev/null || true
  ip netns delete "$b" 2>/dev/null || true
}
trap remove EXIT
ip netns add "$a" 2>/dev/null && ip netns add "$b" 2>/dev/null || skip "network namespaces cannot be made here"
ip link add name "va-$id" netns "$a" type veth peer name "vb-$id" netns "$b" 2>/dev/null || skip "no virtual cables here"
ip -n "$a" addr add "$net.1/24" dev "va-$id"
ip -n "$b" addr add "$net.2/24" dev "vb-$id"
for end in a b; do
  ip -n "${!end}" link set lo up
  ip -n "${!end}" link set "v$end-$id" up
done

rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"

# Instead of ssh: agent HOST COMMAND. With APART set, the other machine has an empty folder of that name.
cat >agent <<AGENT
#!/usr/bin/env bash
shift
export INSIDE="\$*"
exec ip netns exec $b unshare --uts --mount bash -c '
  hostname $b
  if [[ -n \${APART:-} ]]; then mount -t tmpfs tmpfs "\$APART"; fi
  exec bash -c "\$INSIDE"'
AGENT
chmod +x agent

cat >study.toml <<'STUDY'
schema = 1
title = "Cases on two machines"
scenario = "pendulum"
timing = false
set = { "time.end" = 4, "time.output_every" = 0.25 }
[[vary]]
key = "integrator.method"
values = ["rattlie", "generalized-alpha", "bliedf", "shakelie"]
[[vary]]
key = "time.step"
values = ["2^-6", "2^-7", "2^-8"]
[reference]
set = { "time.step" = "2^-12" }
[convergence]
versus = "time.step"
quantities = ["configuration"]
STUDY

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
on_both() {  # two ranks on each machine
  timeout 120 ip netns exec "$a" unshare --uts bash -c 'hostname '"$a"'; exec "$@"' - "$mpiexec" \
    --mca plm_rsh_agent "$folder/agent" --mca plm rsh --host "$net.1:2,$net.2:2" --oversubscribe -n 4 "$@"
}
fail() { echo "$1"; exit 1; }

hosts=$(on_both hostname | sort | uniq -c | tr -s ' \n' ' ')
[[ $hosts == " 2 $a 2 $b " ]] || fail "the ranks are not where they should be: $hosts"

"$filum" study study.toml --quiet --jobs 1 -o one
on_both "$filum" study "$folder/study.toml" --quiet -o "$folder/both"
cmp one/study.csv both/study.csv
bytes=$(ip netns exec "$b" cat "/sys/class/net/vb-$id/statistics/rx_bytes")

status=0
mkdir apart
APART=$folder/apart on_both "$filum" study "$folder/study.toml" --quiet -o "$folder/apart" >told.txt 2>&1 || status=$?
[[ $status == 2 ]] || fail "exit code $status from ranks that do not share the folder: $(cat told.txt)"
(($(grep -c "not writable on $b;" told.txt) == 1)) || fail "the other machine is not named: $(cat told.txt)"

echo "the same table on one machine and on two; $bytes bytes to the other one"
cd /
rm -rf "$folder"
