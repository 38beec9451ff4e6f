// What no page does. Names and types are tsc's matter.
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
        ...MARKUP.map((property) => ({ property, message: "Text is text, never markup: see dom.js." })),
      ],
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
