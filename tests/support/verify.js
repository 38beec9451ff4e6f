// Reads published rounds, one on each line, verifies them as the round's page does, and prints the result of each check.
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const { verify } = await import(pathToFileURL(process.argv[2]).href);
for await (const line of createInterface({ input: process.stdin })) {
  const { good, checks } = await verify(JSON.parse(line));
  const wrong = checks.find((/** @type {any} */ check) => check.good === false);
  console.log(
    JSON.stringify({
      good,
      wrong: wrong ?? null,
      checks: checks.map((/** @type {any} */ check) => check.code),
      left: checks.at(-1)?.values.left ?? 0,
    }),
  );
}
