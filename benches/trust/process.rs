//! Cases that run in their own process, so that their memory can be measured.

use anyhow::{Context, Result, ensure};
use std::process::Command;
use std::time::Duration;

/// The first argument of such a process.
pub(crate) const CASE: &str = "--case";

/// The timeout of a case, which is far more than any case takes.
const TIMEOUT: Duration = Duration::from_secs(1200);

/// The cost of a case.
pub(crate) struct CaseCost {
    pub(crate) seconds: [f64; 2],
    pub(crate) peak_bytes: u64,
    /// The output of the case.
    pub(crate) output: String,
}

/// Runs this program again for one case.
pub(crate) fn run(case: &str, level: &str) -> Result<CaseCost> {
    let program = std::env::current_exe().context("this program")?;
    let output = Command::new(program)
        .args([CASE, case, level])
        .output()
        .context("this program again")?;
    let errors = String::from_utf8_lossy(&output.stderr);
    ensure!(
        output.status.success(),
        "{case} at {level}: {}: {errors}",
        output.status
    );
    let text = String::from_utf8(output.stdout)?;
    let mut words = text.trim_end().splitn(4, ' ');
    let mut number = || {
        words
            .next()
            .context("a number")?
            .parse::<u64>()
            .context("a number")
    };
    Ok(CaseCost {
        seconds: [seconds(number()?), seconds(number()?)],
        peak_bytes: number()?,
        output: words.next().unwrap_or_default().to_owned(),
    })
}

fn seconds(micros: u64) -> f64 {
    Duration::from_micros(micros).as_secs_f64()
}

/// Ends the process of a case if it hangs.
pub(crate) fn start_timeout() {
    std::thread::spawn(|| {
        std::thread::sleep(TIMEOUT);
        eprintln!("not done after {TIMEOUT:?}");
        std::process::exit(1);
    });
}

/// Prints the times of the two parts of a case, and its output. Runs in the
/// process of the case.
pub(crate) fn report(times: [Duration; 2], said: &str) -> Result<()> {
    let [first, second] = times.map(|time| time.as_micros());
    println!("{first} {second} {} {said}", peak_bytes()?);
    Ok(())
}

/// The peak resident memory of this process since the start or since
/// [`forget_peak`], as Linux reports it.
pub(crate) fn peak_bytes() -> Result<u64> {
    let status = std::fs::read_to_string("/proc/self/status").context("no /proc")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|line| line.trim().strip_suffix(" kB"));
    let kib: u64 = kib.context("no VmHWM")?.trim().parse()?;
    Ok(kib << 10)
}

/// Resets the peak, if Linux allows it.
pub(crate) fn reset_peak() {
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}
