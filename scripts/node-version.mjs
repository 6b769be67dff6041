import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** From this version on Node runs TypeScript sources as they are, without a flag or a warning. */
const NEEDED = [24, 12];

/**
 * Answers whether this Node can run `what`. If it is too old the Node that npm installed beside us
 * takes over: npm normally puts that one first in the path, but some versions of npm lose the link
 * where several packages offer a program of the same name.
 */
export function hasNode(what) {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1])) return true;
  const installed = installedNode();
  if (existsSync(installed)) handOver(installed);
  else refuse(what);
  return false;
}

function installedNode() {
  const windows = process.platform === 'win32';
  const name = `node-${windows ? 'win' : process.platform}-${process.arch}`;
  const file = windows ? 'node.exe' : 'node';
  return fileURLToPath(new URL(`../node_modules/${name}/bin/${file}`, import.meta.url));
}

function handOver(node) {
  const child = spawn(node, process.argv.slice(1), { stdio: 'inherit' });
  // Ctrl-C reaches the child by itself; it decides when to end, and we end with its code.
  process.on('SIGINT', () => {});
  // Windows has no signal to handle: there the child notices our end.
  process.on('SIGTERM', () => {
    if (process.platform === 'win32') process.exit(143);
    child.kill('SIGTERM');
  });
  child.on('exit', (code, signal) => {
    if (signal) process.removeAllListeners(signal);
    if (signal) process.kill(process.pid, signal);
    else process.exitCode = code;
  });
}

function refuse(what) {
  console.error(
    `${what} needs Node ${NEEDED.join('.')} or later, this is ${process.versions.node}.\n` +
      'npm installs a fitting one for Linux, macOS and Windows on common processors ' +
      '(an optional dependency named node-<platform>).\n' +
      'Where that is missing, install Node 24 from https://nodejs.org and run the command again.',
  );
  process.exitCode = 1;
}
