#!/usr/bin/env node
import { runCli } from './run-cli.ts'

process.exitCode = await runCli(process.argv.slice(2), {
  env: process.env,
  print: (line) => void process.stdout.write(`${line}\n`),
  say: (line) => void process.stderr.write(`${line}\n`),
})
