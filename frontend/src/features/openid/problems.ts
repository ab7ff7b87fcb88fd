interface Problem {
  title: string;
  ways: string[];
}

const AGAIN = "Try again from the beginning. If it stays so, tell whoever runs this server.";
const ANEW = "Ask the person who invited you for a new link, or sign in without the invitation.";

/** Why a sign-in by OpenID Connect let nobody in, and what one can do. The keys are the server's. */
const PROBLEMS: Record<string, Problem> = {
  not_linked: {
    title: "No account belongs to this sign-in yet",
    ways: [
      "You have an account: sign in with your password, and link it on the page Your account. From then on the button works.",
      "You were invited: open the link of the invitation again, and press the button there.",
      "You have neither: ask an admin of the project for an invitation.",
    ],
  },
  denied: {
    title: "You are not signed in",
    ways: ["Your institution did not let you in, or you turned back there. Nothing was changed."],
  },
  lapsed: {
    title: "This sign-in is over",
    ways: ["It was begun more than an hour ago, in another browser, or was ended already. Begin it again."],
  },
  unreachable: {
    title: "Your institution does not answer",
    ways: ["Try again in a moment, or sign in with your password if you have one."],
  },
  faulty: {
    title: "The sign-in failed",
    ways: ["What your institution answered could not be trusted, so nothing was changed.", AGAIN],
  },
  switched_off: {
    title: "Your account is switched off",
    ways: ["Ask an admin of your project, or whoever runs this server, to switch it on again."],
  },
  taken: {
    title: "This sign-in belongs to another account",
    ways: ["Sign in with it to see which. It can be unlinked there, on the page Your account."],
  },
  other_linked: {
    title: "Your account is linked with another sign-in",
    ways: ["Sign in with that one or your password, and unlink it on the page Your account first."],
  },
  invite_invalid: {
    title: "The invitation no longer works",
    ways: ["It was used or revoked, or has expired in the meantime.", ANEW],
  },
  invite_for_another: {
    title: "The invitation is for another address",
    ways: ["It is bound to a mail address that is not the confirmed address of your account.", ANEW],
  },
  address_has_account: {
    title: "An account has this address already",
    ways: ["Sign in to it with its password, and open the link of the invitation again."],
  },
  not_joined: {
    title: "You did not join the project",
    ways: ["You were deactivated in it, or your account could not be made. Ask one of its admins.", ANEW],
  },
};

export function problemOf(code: string): Problem {
  return PROBLEMS[code] ?? { title: "The sign-in failed", ways: [AGAIN] };
}
