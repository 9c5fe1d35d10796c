#!/bin/bash
# Tries to change project.yaml until the file `stop` exists, by its name and by every descriptor: bash attacks/save.sh
cd "$(dirname "$0")/.." || exit 1

attack() {
  exec 7< project.yaml 8< .
  while [ ! -e stop ]; do
    exec 9< project.yaml
    echo evil > project.yaml
    for descriptor in 7 9 8/project.yaml; do echo evil > "/proc/self/fd/$descriptor"; done
    echo evil > .project.yaml.svc-new
    echo evil > "new-$1"
    mv -f "new-$1" project.yaml
    ln -f "new-$1" project.yaml
    rm -f project.yaml .project.yaml.svc-new
    ln -s ../../outside.txt .project.yaml.svc-new
    : > "started-$1"
  done
}

attack 1 2> /dev/null &
attack 2 2> /dev/null &
wait
