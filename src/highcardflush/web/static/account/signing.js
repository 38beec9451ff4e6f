// Forms to create an account, which keeps a guest's chips, and to sign in and out.
import { forget, post, RefusalError, remember } from "../core/api.js";
import { fill, h } from "../core/dom.js";
import { say, sayError } from "../core/words.js";

/**
 * @typedef {import("../wire.js").Me} Me
 * @typedef {"register" | "login"} Way
 */

/** @param {HTMLFormElement} form */
const fieldsOf = (form) => {
  const data = new FormData(form);
  return { name: String(data.get("name")), password: String(data.get("password")) };
};

/**
 * A form for a name and a password.
 * @param {Way} way
 * @param {boolean} guest true if the player has play money as a guest
 * @param {(who: Me) => void} onChange
 */
function form(way, guest, onChange) {
  const refusal = h("p.wrong", { role: "alert" });
  const button = h("button.main-action", say(`sign.${way}`));
  const form = h(
    "form.signing",
    {
      onsubmit: async (/** @type {SubmitEvent} */ event) => {
        event.preventDefault();
        button.disabled = true;
        fill(refusal);
        try {
          const who = remember(await post(`/${way}`, fieldsOf(form)));
          form.reset();
          onChange(who);
        } catch (error) {
          if (!(error instanceof RefusalError)) throw error;
          fill(refusal, sayError(error.error));
        } finally {
          button.disabled = false;
        }
      },
    },
    h("h2", say(`sign.${way}.title`)),
    h("p.quiet", say(`sign.${way}.${guest ? "why" : "new"}`)),
    h("label", say("sign.name"), h("input", { name: "name", autocomplete: "username", required: true, maxlength: 60 })),
    h(
      "label",
      say("sign.password"),
      h("input", {
        name: "password",
        type: "password",
        autocomplete: way === "register" ? "new-password" : "current-password",
        required: true,
      }),
    ),
    refusal,
    button,
  );
  return form;
}

/** The forms for a guest, or for a visitor. @param {Me | null} who @param {(who: Me | null) => void} onChange */
export function signInForms(who, onChange) {
  const guest = who !== null;
  return h("div.ways", form("register", guest, onChange), form("login", guest, onChange));
}

/** @param {(who: null) => void} onChange */
export function signOutButton(onChange) {
  return h(
    "button",
    {
      type: "button",
      onclick: async () => {
        await post("/logout");
        forget();
        onChange(null);
      },
    },
    say("sign.logout"),
  );
}
