// Rules for the scripts of the pages. tsc checks names and types, prettier the format.
import js from "@eslint/js";

const MARKUP = ["innerHTML", "outerHTML", "insertAdjacentHTML", "write"];

export default [
  js.configs.recommended,
  {
    files: ["src/highcardflush/web/static/**/*.js"],
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "no-undef": "off",
      "no-unused-vars": ["error", { args: "all", argsIgnorePattern: "^_" }],
      "no-restricted-properties": [
        "error",
        ...MARKUP.map((property) => ({ property, message: "Set text, never markup: see core/dom.js." })),
      ],
      "max-len": ["error", { code: 120, ignoreUrls: true }],
      eqeqeq: "error",
      "no-console": "error",
      "no-eval": "error",
      "no-implied-eval": "error",
      "no-new-func": "error",
      "no-self-compare": "error",
      "no-throw-literal": "error",
      "no-unused-expressions": "error",
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
      "prefer-template": "error",
    },
  },
];
