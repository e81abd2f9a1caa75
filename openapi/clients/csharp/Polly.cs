// Stands in for the package Polly where NuGet is out of reach: the generated client names these types, and works without any policy.

namespace Polly
{
    using System;
    using System.Threading.Tasks;

    public enum OutcomeType { Successful, Failure }

    public class PolicyResult<T>
    {
        public OutcomeType Outcome;
        public T Result;
        public Exception FinalException;
    }

    public interface ISyncPolicy<T>
    {
    }

    public interface IAsyncPolicy<T>
    {
        Task<PolicyResult<T>> ExecuteAndCaptureAsync(Func<Task<T>> action);
    }
}
