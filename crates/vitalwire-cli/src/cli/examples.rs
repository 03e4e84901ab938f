//! Examples of every command for help and manual pages. A test runs each of them against the sandbox.

use clap::{Arg, Command};

use super::tables::HIDE_TABLE_OPTIONS;

/// Formats that need the feature `tables`.
const TABLE_FORMATS: [&str; 3] = ["csv", "parquet", "arrow"];

/// Examples by the path of their command. `ID` is a placeholder for the id of a record.
const EXAMPLES: &[(&str, &[&str])] = &[
    ("", &["vitalwire demo", "vitalwire --sandbox sleep", "vitalwire stats daily --types steps,heartrate --from -7d"]),
    ("user", &["vitalwire user", "vitalwire --sandbox user --format json"]),
    ("properties", &["vitalwire properties", "vitalwire --sandbox properties --format json"]),
    (
        "sleep",
        &["vitalwire sleep", "vitalwire sleep --date yesterday --format json", "vitalwire sleep ID --table samples --format csv --units"],
    ),
    ("stats", &["vitalwire stats daily --types steps", "vitalwire stats interval --types heartrate"]),
    (
        "cohort",
        &[
            "vitalwire cohort plan --users users.csv --tables daily,sleeps --from -30d",
            "vitalwire --sandbox cohort export --tables daily --from -7d --out tryout",
        ],
    ),
    (
        "cohort export",
        &[
            "vitalwire cohort export --users users.csv --tables daily --from -9d --out data",
            "vitalwire --sandbox cohort export --tables sleeps,labs --from -3d --out nights",
        ],
    ),
    (
        "cohort plan",
        &[
            "vitalwire cohort plan --users users.csv --tables hourly --from -90d",
            "vitalwire --sandbox cohort plan --tables labs --from -7d --out nights --resume",
        ],
    ),
    ("cohort verify", &["vitalwire cohort verify data", "vitalwire cohort verify data -o report.txt"]),
    ("cohort coverage", &["vitalwire cohort coverage data", "vitalwire cohort coverage data --fail-without-data-for 30"]),
    ("cohort failures", &["vitalwire cohort failures data", "vitalwire cohort failures data --format json"]),
    ("cohort remove", &["vitalwire cohort remove data --user person-1", "vitalwire cohort remove nights --user person-2 --format json"]),
    (
        "sync",
        &[
            "vitalwire sync --users users.csv --kinds daily --from -9d --state s --out c",
            "vitalwire --sandbox sync --kinds daily,sleeps --state states --out new --plan",
        ],
    ),
    (
        "stats daily",
        &[
            "vitalwire stats daily --types steps,heartrate --from -30d --to yesterday",
            "vitalwire stats daily --types sleep_duration_total --record-ids",
            "vitalwire stats daily --from -90d --split-days 30 --format csv -o days.csv",
        ],
    ),
    (
        "stats interval",
        &[
            "vitalwire stats interval --types heartrate --providers oura",
            "vitalwire stats interval --from 2025-11-20T22:00:00+01:00 -o hours.txt",
        ],
    ),
    ("nutrition", &["vitalwire nutrition list", "vitalwire nutrition upload lunch.png --wait"]),
    (
        "nutrition list",
        &["vitalwire nutrition list --from -3d --to yesterday", "vitalwire nutrition list --table ingredients --format csv"],
    ),
    ("nutrition get", &["vitalwire nutrition get ID", "vitalwire nutrition get ID --format json"]),
    (
        "nutrition upload",
        &[
            "vitalwire nutrition upload lunch.png --wait --details --strip-metadata",
            "vitalwire nutrition upload - --fields energy_kcal,protein_g < lunch.png",
        ],
    ),
    ("nutrition wait", &["vitalwire nutrition wait ID", "vitalwire nutrition wait ID --timeout 60 --format json"]),
    (
        "nutrition update",
        &["vitalwire nutrition update ID --serving-size 250", "vitalwire nutrition update ID --serving-size 180 --format json"],
    ),
    ("nutrition delete", &["vitalwire nutrition delete ID", "vitalwire nutrition delete ID --yes"]),
    ("labs", &["vitalwire labs list", "vitalwire labs upload report.pdf --wait"]),
    ("labs list", &["vitalwire labs list --from 2025-01-01", "vitalwire labs list --format csv --output results.csv"]),
    ("labs get", &["vitalwire labs get ID", "vitalwire labs get ID --format json"]),
    (
        "labs upload",
        &["vitalwire labs upload report.pdf --name report.pdf --wait", "vitalwire labs upload - --name report.pdf < report.pdf"],
    ),
    ("labs wait", &["vitalwire labs wait ID", "vitalwire labs wait ID --timeout 60 --format json"]),
    ("integrations", &["vitalwire integrations list", "vitalwire integrations init-url oura"]),
    ("integrations list", &["vitalwire integrations list", "vitalwire integrations list --format json"]),
    (
        "integrations init-url",
        &["vitalwire integrations init-url oura", "vitalwire integrations init-url garmin --redirect-uri https://app.example.org/"],
    ),
    ("integrations delete", &["vitalwire integrations delete oura", "vitalwire --sandbox integrations delete garmin"]),
    (
        "benefits",
        &["vitalwire benefits clinic-1 patient-1 policy-1", "vitalwire --sandbox benefits clinic-1 patient-1 policy-1 --format json"],
    ),
    ("token", &["vitalwire --sandbox token", "vitalwire token 1001 person-1 --key-env APPLICATION_KEY"]),
    (
        "webhook",
        &[
            "vitalwire webhook verify --key-env KEY --signature SIGNATURE body.json",
            "vitalwire webhook verify --key-file key.txt --signature SIGNATURE body.json",
        ],
    ),
    (
        "webhook verify",
        &[
            "vitalwire webhook verify --key-env KEY --signature SIGNATURE - < body.json",
            "vitalwire webhook verify --key-file key.txt --signature SIGNATURE body.json",
        ],
    ),
    ("completions", &["vitalwire completions bash > vitalwire.bash", "vitalwire completions zsh --output _vitalwire"]),
    ("man", &["vitalwire man --output vitalwire.1", "vitalwire man --dir man1"]),
    ("licenses", &["vitalwire licenses", "vitalwire licenses --output licences.txt"]),
    ("explain", &["vitalwire explain 1201", "vitalwire explain NotFoundError --format json", "vitalwire explain"]),
    ("demo", &["vitalwire demo", "vitalwire demo --seed 7 --today 2025-11-21"]),
    (
        "sandbox",
        &[
            "vitalwire sandbox --bind 127.0.0.1:8080 --db sandbox.db --time-scale 60",
            "vitalwire sandbox --people 30 --missing 0.1 --effects all,travel=off",
            "vitalwire sandbox --processing typical --fault \"status; status=503; times=2\"",
        ],
    ),
    (
        "record",
        &[
            "vitalwire record --to session --base-url https://health.example.org",
            "vitalwire --sandbox record --to session --bind 127.0.0.1:8081",
        ],
    ),
];

/// Returns the examples of a command by its path below the program.
pub(crate) fn examples(path: &str) -> impl Iterator<Item = &'static str> {
    let matching = EXAMPLES.iter().filter(move |(name, _)| *name == path);
    matching.flat_map(|(_, examples)| examples.iter().copied()).filter(|example| !HIDE_TABLE_OPTIONS || !has_table_format(example))
}

fn has_table_format(example: &str) -> bool {
    example.split_whitespace().any(|word| TABLE_FORMATS.contains(&word))
}

/// Adds the examples to the help of every command, and `general` to the long help of the program. Shortens what `-h` prints.
pub(super) fn add_examples(command: Command, path: &str, general: &str) -> Command {
    let mut text = String::from("Examples:");
    examples(path).for_each(|example| text.push_str(&format!("\n  {example}")));
    let command = command.mut_args(shorten).after_help(format!("{text}\n\n{GENERAL_HELP}"));
    let command = command.after_long_help(format!("{text}\n\n{general}"));
    let below = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path} {name}") };
    let names: Vec<String> = command.get_subcommands().map(|command| command.get_name().to_owned()).collect();
    let with_examples = |command: Command, name: String| {
        let path = below(&name);
        command.mut_subcommand(name, |command| add_examples(command, &path, GENERAL_HELP))
    };
    names.into_iter().fold(command, with_examples)
}

/// Options of all commands that `-h` shows.
const SHORT_OPTIONS: [&str; 5] = ["sandbox", "base_url", "profile", "format", "output"];

/// Hides rarely used options from `-h`, and shows the first sentence of the others.
fn shorten(option: Arg) -> Arg {
    let text = option.get_help().map(ToString::to_string).unwrap_or_default();
    let option = match text.split_once(". ") {
        Some((first, _)) if option.get_long_help().is_none() => option.help(first.to_owned()).long_help(text),
        _ => option,
    };
    let is_rare = option.is_global_set() && !SHORT_OPTIONS.contains(&option.get_id().as_str());
    option.hide_short_help(is_rare)
}

/// The last line of a command's help.
const GENERAL_HELP: &str = "Exit codes, environment variables and files: vitalwire --help";
