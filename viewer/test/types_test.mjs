// The types of the page fit. Usage: node types_test.mjs, in the working folder of the build
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const compiler = 'node_modules/typescript/bin/tsc';
if (existsSync(compiler)) process.exit(spawnSync(process.execPath, [compiler, '-p', '.'], { stdio: 'inherit' }).status ?? 1);
console.log('skipped: npm could not install the packages of the report page');
