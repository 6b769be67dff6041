import { spawnSync } from 'node:child_process';

/**
 * Checks the rules and the configuration in ops/prometheus, and tests the rules, by Prometheus' own tool. Without the tool
 * it checks nothing and says so: it is not a dependency of ours.
 */
const FOLDER = 'ops/prometheus';
const CHECKS = [
  ['check', 'rules', 'alerts.yaml'],
  ['check', 'config', 'prometheus.yaml'],
  ['test', 'rules', 'alerts.test.yaml'],
];

const tool = process.argv[2] ?? 'promtool';
for (const words of CHECKS) {
  const { error, status } = spawnSync(tool, words, { cwd: FOLDER, stdio: 'inherit' });
  if (error) {
    console.error(`${tool} is not there (Debian: apt install prometheus); nothing was checked.`);
    process.exitCode = 1;
    break;
  }
  if (status !== 0) process.exitCode = 1;
}
